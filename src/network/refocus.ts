import type { Manager } from './Manager.ts'

/**
 * A manager that lets everything expire when the user comes back: when the page is visible again, or online again. Data
 * on screen is then fetched again, and stays visible until the answer arrives. Not one of the defaults.
 *
 * @example
 * const controller = new Controller({ managers: [createRefocus()] })
 *
 * @example
 * createRefocus({ testKey: key => key.includes('/prices') })
 */
export function createRefocus(which: { testKey(key: string): boolean } = { testKey: () => true }): Manager {
  let unwatch = (): void => {}
  return {
    start(host) {
      const { platform } = host
      const there = (): boolean => platform.online() && platform.visible()
      let was = there()
      // Only who was away comes back: a window gets the focus far more often than that.
      unwatch = platform.watch(() => {
        const is = there()
        if (is && !was) host.expireAll(which)
        was = is
      })
    },
    stop() {
      unwatch()
    },
  }
}
