/** Reports an error that belongs to no caller, such as one thrown by an effect, without stopping whoever runs next. */
export function reportUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** `report` whose own errors are reported to the platform. */
export function safeReporter(report: (error: unknown) => void = reportUncaught): (error: unknown) => void {
  return error => attempt(() => report(error), reportUncaught)
}

/** What `work` returns. An error goes to `report`, if that is given, instead of to the caller. */
export function attempt<R>(work: () => R, report?: (error: unknown) => void): R | undefined {
  try {
    return work()
  } catch (error) {
    report?.(error)
  }
}

/** The same promise, marked as handled: whoever wants its error awaits it. */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
