import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JSX } from 'preact'
import { toggleIssue } from '../tracker/actions.ts'
import { focusedIssue, keepFocus, moveFocus } from '../tracker/focus.ts'
import { listenToKeys } from '../tracker/keys.ts'
import { Issue } from '../tracker/resources.ts'
import { openIssue, route } from '../tracker/route.ts'
import { controller, journal } from '../tracker/session.ts'
import { tools } from '../tracker/tools.ts'
import { Bar } from './Bar.tsx'
import { Board } from './Board.tsx'
import { IssueForm } from './IssueForm.tsx'
import { IssueList } from './IssueList.tsx'
import { IssuePage } from './IssuePage.tsx'
import { Notices } from './Notices.tsx'
import { Panel } from './Panel.tsx'

export function App(): JSX.Element {
  const { view, issue, page, filters } = route.value
  const panel = useSignal(matchMedia('(min-width: 1100px)').matches)
  const turnPanel = (): void => void (panel.value = !panel.value)
  useEffect(keepFocus, [])
  useEffect(
    () =>
      listenToKeys({
        undo: () => void journal.undo(),
        redo: () => void journal.redo(),
        create: () => openIssue('new'),
        search: () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
        next: () => moveFocus(1),
        previous: () => moveFocus(-1),
        toggle() {
          const issue = controller.get(Issue, { id: focusedIssue() ?? route.value.issue })
          if (issue) toggleIssue(issue)
        },
        leave: () => openIssue(),
        panel: turnPanel,
        devtools: tools.open,
      }),
    [],
  )
  return (
    <div class="app" data-panel={panel.value}>
      <Bar view={view} panel={panel.value} turnPanel={turnPanel} />
      {view === 'board' ? (
        <Board />
      ) : (
        <main class="tracker" data-open={issue !== undefined}>
          <IssueList filters={filters} open={issue} />
          <section class="detail" aria-label="Issue">
            {page === undefined ? (
              <p class="empty">
                Choose an issue, or press <kbd>N</kbd> to write one.
              </p>
            ) : page === 'new' ? (
              <IssueForm />
            ) : (
              <IssuePage key={page} id={page} />
            )}
          </section>
        </main>
      )}
      <Notices />
      {panel.value && <Panel close={turnPanel} />}
    </div>
  )
}
