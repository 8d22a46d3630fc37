import type { JSX } from 'preact'
import { keys } from '../tracker/keys.ts'
import { tools } from '../tracker/tools.ts'
import { Network } from './Network.tsx'

/** Beside the page: what the network is like, devtools, and the keys. */
export function Panel({ close }: { close(): void }): JSX.Element {
  return (
    <aside class="panel" aria-label="Network and keys">
      <button type="button" class="tool close" aria-label="Close the panel" onClick={close}>
        <span class="icon cross" />
      </button>
      <Network />
      <section class="tooling">
        <h2>Devtools</h2>
        <p>Every commit with its patches, and the page as it was before.</p>
        <button type="button" class="button" onClick={tools.open}>
          Open devtools
        </button>
      </section>
      <section class="keys">
        <h2>Keys</h2>
        <dl>
          {keys.map(([key, does]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </section>
    </aside>
  )
}
