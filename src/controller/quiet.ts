/** The same promise, whose failure is nobody's fault when nobody awaits it. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
