import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { askWeather, startOver, type Weather } from '../tracker/weather.ts'

/** Makes the network as bad as one likes. */
export function Network(): JSX.Element {
  const weather = useSignal<Weather | undefined>(undefined)
  const change = (part?: Partial<Weather>): void =>
    void askWeather(part).then(
      next => void (weather.value = next),
      () => void (weather.value = undefined),
    )
  useEffect(() => {
    change()
    // Another tab may have changed it, and the server may be gone.
    const timer = setInterval(change, 3000)
    return () => clearInterval(timer)
  }, [])
  if (!weather.value) {
    return (
      <section class="network">
        <h2>Network</h2>
        <p class="trouble">The server cannot be reached. Start it again with npm start.</p>
      </section>
    )
  }
  const { latency, failure, reorder, hold, down } = weather.value
  return (
    <section class="network">
      <h2>Network</h2>
      <label class="range">
        <span>Latency</span>
        <output>{latency} ms</output>
        <input type="range" min="0" max="3000" step="50" value={latency} onInput={event => change({ latency: event.currentTarget.valueAsNumber })} />
      </label>
      <label class="range">
        <span>Failures</span>
        <output>{Math.round(failure * 100)} %</output>
        <input type="range" min="0" max="100" step="5" value={failure * 100} onInput={event => change({ failure: event.currentTarget.valueAsNumber / 100 })} />
      </label>
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
