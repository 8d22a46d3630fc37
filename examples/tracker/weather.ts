/** What the network does to requests; see server/weather.mjs. */
export interface Weather {
  readonly latency: number
  readonly failure: number
  readonly reorder: boolean
  readonly hold: boolean
  readonly down: boolean
}

/**
 * Reads the weather, or changes it. By plain fetch: it belongs to the demo and not to its data, and nobody wants to
 * undo it.
 */
export async function askWeather(change?: Partial<Weather>): Promise<Weather> {
  const response = await fetch('/control', change && { method: 'PUT', body: JSON.stringify(change) })
  return (await response.json()) as Weather
}

/** Everything at the server as it was in the beginning. */
export async function startOver(): Promise<void> {
  await fetch('/control/reset', { method: 'POST' })
  location.reload()
}
