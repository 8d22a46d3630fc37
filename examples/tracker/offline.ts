import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Platform } from 'patchcord'

const chosen = signal(localStorage.getItem('offline') === 'true')

/** Whether the user works offline: no request leaves the page. A reload keeps it. */
export const isOffline: ReadonlySignal<boolean> = chosen

export function workOffline(isChosen: boolean): void {
  chosen.value = isChosen
  localStorage.setItem('offline', String(isChosen))
  dispatchEvent(new Event(isChosen ? 'offline' : 'online'))
}

/** The platform of the browser, and offline also when the user has chosen so. */
export const platform: Platform = {
  online: () => navigator.onLine && !chosen.peek(),
  visible: () => document.visibilityState === 'visible',
  watch(listener) {
    const events = ['online', 'offline', 'focus', 'visibilitychange']
    for (const event of events) addEventListener(event, listener, true)
    return () => events.forEach(event => removeEventListener(event, listener, true))
  },
}
