import type { JSX } from 'solid-js'
import html from 'solid-js/html'
import { keys } from '../tracker/keys.ts'
import { tools } from '../tracker/tools.ts'
import { Network } from './Network.ts'

/** Beside the page: what the network is like, devtools, and the keys. */
export function Panel(props: { setOpen(open: boolean): void }): JSX.Element {
  return html`
    <aside class="panel" aria-label="Network and keys">
      <button type="button" class="tool close" aria-label="Close the panel" onClick=${() => props.setOpen(false)}><span class="icon cross"></span></button>
      <${Network} />
      <section class="tooling">
        <h2>Devtools</h2>
        <p>Every commit with its patches, and the page as it was before.</p>
        <button type="button" class="button" onClick=${tools.open}>Open devtools</button>
      </section>
      <section class="keys">
        <h2>Keys</h2>
        <dl>${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
      </section>
    </aside>
  `
}
