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
