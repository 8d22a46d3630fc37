import type { Patch } from 'patchcord'
import { createMemo, createSignal, For, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import type { Entry } from '../tracker/journal.ts'
import { journal } from '../tracker/session.ts'
import { causeOf, numberOf, pathOf, plural, timeOf, valueOf } from '../tracker/words.ts'
import { follow } from './follow.ts'

/** Every commit, the newest first. */
export function Timeline(): JSX.Element {
  const entries = follow(journal.entries)
  const [mine, setMine] = createSignal(false)
  const visible = createMemo(() => (mine() ? entries().filter(({ step }) => step) : entries()))
  return html`
    <section class="timeline">
      <header>
        <h2>Patches</h2>
        <label class="switch"><input type="checkbox" checked=${mine} onChange=${() => setMine(only => !only)} /><span>Only mine</span></label>
      </header>
      <ol>
        <${For} each=${visible} fallback=${() => html`<li class="empty">Nothing has changed yet.</li>`}>${(entry: Entry) => html`<${Moment} entry=${entry} />`}<//>
      </ol>
    </section>
  `
}

function Moment(props: { readonly entry: Entry }): JSX.Element {
  const { id, at, commit, step, label } = props.entry
  const [open, setOpen] = createSignal(false)
  const done = follow(journal.done)
  return html`
    <li>
      <details class="moment" data-cause=${commit.cause} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>
          <strong>${label ?? causeOf(commit)}</strong>
          <span class="meta"><span>#${id}</span><time>${timeOf(at)}</time><span>${plural(commit.patches.length, 'patch')}</span></span>
        </summary>
        <${Show} when=${open}>
          ${() => html`
            <h3>Patches</h3><${Patches} patches=${commit.patches} />
            <h3 class="inverse">Inverse</h3><${Patches} patches=${commit.inversePatches} />
          `}
        <//>
      </details>
      <${Show} when=${() => step && done().includes(step)}>
        <button type="button" class="button" onClick=${() => journal.undoTo(step!)}><span class="icon undo"></span>Undo to here</button>
      <//>
    </li>
  `
}

const VISIBLE = 20

function Patches(props: { readonly patches: readonly Patch[] }): JSX.Element {
  const { patches } = props
  return html`
    <ul class="patches">
      ${patches.slice(0, VISIBLE).map(patch => html`<li><b data-op=${patch.op}>${patch.op}</b> <code class="path">${pathOf(patch)[0]}<b>${pathOf(patch)[1]}</b></code> <code class="value">${valueOf(patch)}</code></li>`)}
      ${patches.length === 0 ? html`<li>None: what came is what was expected.</li>` : ''}
      ${patches.length > VISIBLE ? html`<li>and ${numberOf(patches.length - VISIBLE)} more</li>` : ''}
    </ul>
  `
}
