import type { JSX } from 'solid-js'
import html from 'solid-js/html'
import { addressOf, route } from '../tracker/route.ts'
import { isOffline } from '../tracker/offline.ts'
import { journal } from '../tracker/session.ts'
import { theme, turnTheme } from '../tracker/theme.ts'
import { follow } from './follow.ts'

interface BarProps {
  readonly view: 'issues' | 'board'
  readonly panel: boolean
  setPanel(open: boolean): void
}

/** The top of the page: where one is, and what can be done from anywhere. */
export function Bar(props: BarProps): JSX.Element {
  const at = follow(route)
  const done = follow(journal.done)
  const undone = follow(journal.undone)
  const pending = follow(journal.pending)
  const look = follow(theme)
  const offline = follow(isOffline)
  const current = (view: string): 'page' | undefined => (props.view === view ? 'page' : undefined)
  return html`
    <header class="bar">
      <a class="brand" href="/"><span class="icon cord"></span>patchcord<small>Solid</small></a>
      <nav aria-label="Views">
        <a href=${() => addressOf(undefined, at().filters)} aria-current=${() => current('issues')}>Issues</a>
        <a href="#/board" aria-current=${() => current('board')}>Board</a>
      </nav>
      <span class="saving" role="status" data-pending=${pending}>${() => (pending() > 0 && !offline() ? 'Saving…' : '')}</span>
      <div class="tools">
        <button type="button" class="tool" aria-label="Undo" title=${() => `Undo ${done().at(-1)?.label ?? ''}`} disabled=${() => done().length === 0} onClick=${() => journal.undo()}>
          <span class="icon undo"></span>
        </button>
        <button type="button" class="tool" aria-label="Redo" title=${() => `Redo ${undone().at(-1)?.label ?? ''}`} disabled=${() => undone().length === 0} onClick=${() => journal.redo()}>
          <span class="icon redo"></span>
        </button>
        <button type="button" class="tool" aria-label=${() => (look() === 'dark' ? 'Light theme' : 'Dark theme')} onClick=${turnTheme}>
          <span class="icon theme"></span>
        </button>
        <button type="button" class="tool" aria-label="Network and keys" aria-pressed=${() => String(props.panel)} onClick=${() => props.setPanel(!props.panel)}>
          <span class="icon sliders"></span>
        </button>
      </div>
    </header>
  `
}
