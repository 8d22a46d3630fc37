import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { askNetwork, type NetworkSettings } from '../tracker/network.ts'
import { isOffline, workOffline } from '../tracker/offline.ts'
import { startOver } from '../tracker/session.ts'

/** Makes the network of this tab as bad as one likes. */
export function Network(): JSX.Element {
  const settings = useSignal<NetworkSettings | undefined>(undefined)
  const latest = useRef<Promise<NetworkSettings> | undefined>(undefined)
  const change = (part?: Partial<NetworkSettings>): void => {
    const asked = (latest.current = askNetwork(part))
    // An answer from before the last change would turn it back on the page.
    const show = (next?: NetworkSettings): void => void (asked === latest.current && (settings.value = next))
    asked.then(show, () => show())
  }
  useEffect(() => {
    change()
    // The server may be gone, or may have started again.
    const timer = setInterval(change, 3000)
    return () => clearInterval(timer)
  }, [])
  const offline = (
    <label class="switch">
      <input type="checkbox" checked={isOffline.value} onChange={event => workOffline(event.currentTarget.checked)} />
      <span>Work offline</span>
    </label>
  )
  if (!settings.value) {
    return (
      <section class="network">
        <h2>Network</h2>
        {offline}
        <p class="trouble">The server cannot be reached. Start it again with npm start.</p>
      </section>
    )
  }
  const { latency, failure, reorder, hold, down } = settings.value
  return (
    <section class="network">
      <h2>Network</h2>
      {offline}
      <div class="range">
        <label for="latency">Latency</label>
        <output for="latency">{latency} ms</output>
        <input id="latency" type="range" min="0" max="3000" step="50" value={latency} aria-valuetext={`${latency} ms`} onInput={event => change({ latency: event.currentTarget.valueAsNumber })} />
      </div>
      <div class="range">
        <label for="failure">Failures</label>
        <output for="failure">{Math.round(failure * 100)} %</output>
        <input id="failure" type="range" min="0" max="100" step="5" value={failure * 100} aria-valuetext={`${Math.round(failure * 100)} %`} onInput={event => change({ failure: event.currentTarget.valueAsNumber / 100 })} />
      </div>
      <label class="switch">
        <input type="checkbox" checked={reorder} onChange={event => change({ reorder: event.currentTarget.checked })} />
        <span>Answers out of order</span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={hold} onChange={event => change({ hold: event.currentTarget.checked })} />
        <span>Hold everything</span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={down} onChange={event => change({ down: event.currentTarget.checked })} />
        <span>Server down</span>
      </label>
      <button type="button" class="button quiet" onClick={startOver}>
        Start over
      </button>
    </section>
  )
}
