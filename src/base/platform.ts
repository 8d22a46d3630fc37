/**
 * The environment: whether there is a network, and whether the page is visible.
 *
 * @example
 * const asleep: Platform = { online: () => true, visible: () => false, watch: () => () => {} }
 * const controller = new Controller({ platform: asleep }) // polls nothing
 */
export interface Platform {
  online(): boolean
  visible(): boolean
  /** Calls `listener` when one of them may have changed, and when the window gets the focus; the returned function ends it. */
  watch(listener: () => void): () => void
}

interface Events {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}

/** The browser's, and elsewhere one that is always online and seen. Looked up at the time of the call: a module may load before there is a window. */
export const systemPlatform: Platform = {
  online: () => (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine !== false,
  visible: () => (globalThis as { document?: { visibilityState?: string } }).document?.visibilityState !== 'hidden',
  watch(listener) {
    // A worker has no window, but gets these events itself.
    const { window = globalThis as unknown as Partial<Events>, document } = globalThis as { window?: Partial<Events>; document?: Partial<Events> }
    const each = (verb: keyof Events): void => {
      for (const type of ['online', 'offline', 'focus']) window[verb]?.(type, listener)
      document?.[verb]?.('visibilitychange', listener)
    }
    each('addEventListener')
    return () => each('removeEventListener')
  },
}
