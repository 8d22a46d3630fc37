import type { JSX } from 'preact'
import { keys } from '../tracker/keys.ts'
import { Network } from './Network.tsx'

/** Beside the page: what the network is like, and the keys. */
export function Panel({ close }: { close(): void }): JSX.Element {
  return (
    <aside class="panel" aria-label="Network and keys">
      <button type="button" class="tool close" aria-label="Close the panel" onClick={close}>
        <span class="icon cross" />
      </button>
      <Network />
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
