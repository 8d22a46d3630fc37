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
  let unwatch: (() => void) | undefined
  return {
    start(host) {
      const { platform } = host
      const isAway = (): boolean => !platform.online() || !platform.visible()
      let wasAway = isAway()
      // Only who was away comes back: a window gets the focus far more often than that.
      unwatch = platform.watch(() => {
        if (wasAway && !isAway()) host.expireAll(which)
        wasAway = isAway()
      })
    },
    stop: () => unwatch?.(),
  }
}
