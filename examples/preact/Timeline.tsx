import { useSignal } from '@preact/signals'
import type { Patch } from 'patchcord'
import type { JSX } from 'preact'
import type { Entry } from '../tracker/journal.ts'
import { journal } from '../tracker/session.ts'
import { causeOf, numberOf, pathOf, plural, timeOf, valueOf } from '../tracker/words.ts'

/** Every commit, the newest first. */
export function Timeline(): JSX.Element {
  const mine = useSignal(false)
  const entries = journal.entries.value.filter(({ step }) => step || !mine.value)
  return (
    <section class="timeline">
      <header>
        <h2>Patches</h2>
        <label class="switch">
          <input type="checkbox" checked={mine.value} onChange={() => void (mine.value = !mine.value)} />
          <span>Only mine</span>
        </label>
      </header>
      <ol>
        {entries.map(entry => (
          <Moment key={entry.id} entry={entry} />
        ))}
        {entries.length === 0 && <li class="empty">Nothing has changed yet.</li>}
      </ol>
    </section>
  )
}

function Moment({ entry: { id, at, commit, step, label } }: { readonly entry: Entry }): JSX.Element {
  const open = useSignal(false)
  return (
    <li>
      <details class="moment" data-cause={commit.cause} onToggle={event => void (open.value = event.currentTarget.open)}>
        <summary>
          <strong>{label ?? causeOf(commit)}</strong>
          <span class="meta">
            <span>#{id}</span>
            <time>{timeOf(at)}</time>
            <span>{plural(commit.patches.length, 'patch')}</span>
          </span>
        </summary>
        {open.value && (
          <>
            <h3>Patches</h3>
            <Patches patches={commit.patches} />
            <h3 class="inverse">Inverse</h3>
            <Patches patches={commit.inversePatches} />
          </>
        )}
      </details>
      {step && journal.done.value.includes(step) && (
        <button type="button" class="button" onClick={() => journal.undoTo(step)}>
          <span class="icon undo" />
          Undo to here
        </button>
      )}
    </li>
  )
}

const VISIBLE = 20

function Patches({ patches }: { readonly patches: readonly Patch[] }): JSX.Element {
  return (
    <ul class="patches">
      {patches.slice(0, VISIBLE).map(patch => (
        <li>
          <b data-op={patch.op}>{patch.op}</b>
          <code class="path">
            {pathOf(patch)[0]}
            <b>{pathOf(patch)[1]}</b>
          </code>
          <code class="value">{valueOf(patch)}</code>
        </li>
      ))}
      {patches.length === 0 && <li>None: what came is what was expected.</li>}
      {patches.length > VISIBLE && <li>and {numberOf(patches.length - VISIBLE)} more</li>}
    </ul>
  )
}
