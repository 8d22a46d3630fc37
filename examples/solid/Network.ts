import { createResource, onCleanup, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { askWeather, startOver, type Weather } from '../tracker/weather.ts'

/** Makes the network as bad as one likes. */
export function Network(): JSX.Element {
  const [weather, { mutate, refetch }] = createResource<Weather>(() => askWeather().catch(() => undefined as never))
  const change = (part: Partial<Weather>): void => void askWeather(part).then(mutate, refetch)
  // Another tab may have changed it, and the server may be gone.
  const timer = setInterval(refetch, 3000)
  onCleanup(() => clearInterval(timer))
  const numberIn = (event: Event): number => (event.currentTarget as HTMLInputElement).valueAsNumber
  const checkedIn = (event: Event): boolean => (event.currentTarget as HTMLInputElement).checked
  return html`
    <section class="network">
      <h2>Network</h2>
      <${Show} when=${() => weather.latest} fallback=${() => html`<p class="trouble">The server cannot be reached. Start it again with npm start.</p>`}>
        <label class="range"><span>Latency</span><output>${() => weather.latest!.latency} ms</output>
          <input type="range" min="0" max="3000" step="50" value=${() => weather.latest!.latency} onInput=${(event: Event) => change({ latency: numberIn(event) })} /></label>
        <label class="range"><span>Failures</span><output>${() => Math.round(weather.latest!.failure * 100)} %</output>
          <input type="range" min="0" max="100" step="5" value=${() => weather.latest!.failure * 100} onInput=${(event: Event) => change({ failure: numberIn(event) / 100 })} /></label>
        <label class="switch"><input type="checkbox" checked=${() => weather.latest!.reorder} onChange=${(event: Event) => change({ reorder: checkedIn(event) })} /><span>Answers out of order</span></label>
        <label class="switch"><input type="checkbox" checked=${() => weather.latest!.hold} onChange=${(event: Event) => change({ hold: checkedIn(event) })} /><span>Hold everything</span></label>
        <label class="switch"><input type="checkbox" checked=${() => weather.latest!.down} onChange=${(event: Event) => change({ down: checkedIn(event) })} /><span>Server down</span></label>
        <button type="button" class="button quiet" onClick=${startOver}>Start over</button>
      <//>
    </section>
  `
}
