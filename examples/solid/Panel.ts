import type { JSX } from 'solid-js'
import html from 'solid-js/html'
import { keys } from '../tracker/keys.ts'
import { Network } from './Network.ts'
import { Timeline } from './Timeline.ts'

/** Beside the page: what the network is like, every patch there was, and the keys. */
export function Panel(props: { setOpen(open: boolean): void }): JSX.Element {
  return html`
    <aside class="panel" aria-label="Patches and network">
      <button type="button" class="tool close" aria-label="Close the panel" onClick=${() => props.setOpen(false)}><span class="icon cross"></span></button>
      <${Network} />
      <${Timeline} />
      <details class="keys">
        <summary>Keys</summary>
        <dl>${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
      </details>
    </aside>
  `
}
