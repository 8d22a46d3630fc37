import type { JSX } from 'preact'
import { keys } from '../tracker/keys.ts'
import { Network } from './Network.tsx'
import { Timeline } from './Timeline.tsx'

/** Beside the page: what the network is like, every patch there was, and the keys. */
export function Panel({ close }: { close(): void }): JSX.Element {
  return (
    <aside class="panel" aria-label="Patches and network">
      <button type="button" class="tool close" aria-label="Close the panel" onClick={close}>
        <span class="icon cross" />
      </button>
      <Network />
      <Timeline />
      <details class="keys">
        <summary>Keys</summary>
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
      </details>
    </aside>
  )
}
