import type { JSX } from 'preact'
import { addressOf } from '../tracker/route.ts'
import { isOffline } from '../tracker/offline.ts'
import { journal } from '../tracker/session.ts'
import { theme, turnTheme } from '../tracker/theme.ts'

interface BarProps {
  readonly view: 'issues' | 'board'
  readonly panel: boolean
  turnPanel(): void
}

/** The top of the page: where one is, and what can be done from anywhere. */
export function Bar({ view, panel, turnPanel }: BarProps): JSX.Element {
  const done = journal.done.value.at(-1)
  const undone = journal.undone.value.at(-1)
  const pending = journal.pending.value
  const current = (each: string): 'page' | undefined => (view === each ? 'page' : undefined)
  return (
    <header class="bar">
      <a class="brand" href="/">
        <span class="icon cord" />
        patchcord<small>Preact</small>
      </a>
      <nav aria-label="Views">
        <a href={addressOf()} aria-current={current('issues')}>
          Issues
        </a>
        <a href="#/board" aria-current={current('board')}>
          Board
        </a>
      </nav>
      <span class="saving" role="status" data-pending={pending}>
        {pending > 0 && !isOffline.value && 'Saving…'}
      </span>
      <div class="tools">
        <button type="button" class="tool" aria-label="Undo" title={`Undo ${done?.label ?? ''}`} disabled={!done} onClick={() => journal.undo()}>
          <span class="icon undo" />
        </button>
        <button type="button" class="tool" aria-label="Redo" title={`Redo ${undone?.label ?? ''}`} disabled={!undone} onClick={() => journal.redo()}>
          <span class="icon redo" />
        </button>
        <button type="button" class="tool" aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'} onClick={turnTheme}>
          <span class="icon theme" />
        </button>
        <button type="button" class="tool" aria-label="Network and keys" aria-pressed={panel} onClick={turnPanel}>
          <span class="icon sliders" />
        </button>
      </div>
    </header>
  )
}
