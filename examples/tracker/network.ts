/** What the network does to the requests of this tab; see server/network.mjs. */
export interface NetworkSettings {
  readonly latency: number
  readonly failure: number
  readonly reorder: boolean
  readonly hold: boolean
  readonly down: boolean
}

/** Names this tab, so that its settings are not those of the next visitor. A reload keeps the name. */
const before = sessionStorage.getItem('tab')
const tab = before ?? Math.random().toString(36).slice(2)
sessionStorage.setItem('tab', tab)

/** `fetch`, with the name of the tab. */
export const fetchFromTab = (input: string, init?: RequestInit): Promise<Response> => {
  const headers = new Headers(init?.headers)
  headers.set('x-tab', tab)
  return fetch(input, { ...init, headers })
}

/** Reads the settings, or changes them. Not through the controller: they are no data of the tracker, and nobody wants to undo them. */
export async function askNetwork(change?: Partial<NetworkSettings>): Promise<NetworkSettings> {
  const response = await fetchFromTab('/control', change && { method: 'PUT', body: JSON.stringify(change) })
  return (await response.json()) as NetworkSettings
}

// A reload ends the requests that were on hold. Holding the new ones would leave the page empty.
if (before) askNetwork({ hold: false }).catch(() => {})
