/**
 * Tells the platform of an error that belongs to no caller: one thrown by an effect or a listener.
 * It must neither be lost nor stop whoever was about to be told next.
 */
export function reportUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** `tell`, whose own failure is told of in the same way: whoever reports has more to do. */
export function reporter(tell: (error: unknown) => void = reportUncaught): (error: unknown) => void {
  return error => {
    try {
      tell(error)
    } catch (thrown) {
      reportUncaught(thrown)
    }
  }
}
