import { createResource, onCleanup, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { askNetwork, type NetworkSettings } from '../tracker/network.ts'
import { isOffline, workOffline } from '../tracker/offline.ts'
import { startOver } from '../tracker/session.ts'
import { follow } from './follow.ts'

/** Makes the network of this tab as bad as one likes. */
export function Network(): JSX.Element {
  const [settings, { mutate, refetch }] = createResource<NetworkSettings>(() => askNetwork().catch(() => undefined as never))
  const change = (part: Partial<NetworkSettings>): void => void askNetwork(part).then(mutate, refetch)
  // The server may be gone, or may have started again.
  const timer = setInterval(refetch, 3000)
  onCleanup(() => clearInterval(timer))
  const latency = (): string => `${settings.latest!.latency} ms`
  const failure = (): string => `${Math.round(settings.latest!.failure * 100)} %`
  const numberIn = (event: Event): number => (event.currentTarget as HTMLInputElement).valueAsNumber
  const checkedIn = (event: Event): boolean => (event.currentTarget as HTMLInputElement).checked
  return html`
    <section class="network">
      <h2>Network</h2>
      <label class="switch"><input type="checkbox" checked=${follow(isOffline)} onChange=${(event: Event) => workOffline(checkedIn(event))} /><span>Work offline</span></label>
      <${Show} when=${() => settings.latest} fallback=${() => html`<p class="trouble">The server cannot be reached. Start it again with npm start.</p>`}>
        <div class="range"><label for="latency">Latency</label><output for="latency">${latency}</output>
          <input id="latency" type="range" min="0" max="3000" step="50" value=${() => settings.latest!.latency} aria-valuetext=${latency} onInput=${(event: Event) => change({ latency: numberIn(event) })} /></div>
        <div class="range"><label for="failure">Failures</label><output for="failure">${failure}</output>
          <input id="failure" type="range" min="0" max="100" step="5" value=${() => settings.latest!.failure * 100} aria-valuetext=${failure} onInput=${(event: Event) => change({ failure: numberIn(event) / 100 })} /></div>
        <label class="switch"><input type="checkbox" checked=${() => settings.latest!.reorder} onChange=${(event: Event) => change({ reorder: checkedIn(event) })} /><span>Answers out of order</span></label>
        <label class="switch"><input type="checkbox" checked=${() => settings.latest!.hold} onChange=${(event: Event) => change({ hold: checkedIn(event) })} /><span>Hold everything</span></label>
        <label class="switch"><input type="checkbox" checked=${() => settings.latest!.down} onChange=${(event: Event) => change({ down: checkedIn(event) })} /><span>Server down</span></label>
        <button type="button" class="button quiet" onClick=${startOver}>Start over</button>
      <//>
    </section>
  `
}
