import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JSX } from 'preact'
import { toggleIssue } from '../tracker/actions.ts'
import { issueAtHand, listenToKeys, moveFocus } from '../tracker/keys.ts'
import { Issue } from '../tracker/resources.ts'
import { openIssue, route } from '../tracker/route.ts'
import { controller, journal } from '../tracker/session.ts'
import { Bar } from './Bar.tsx'
import { Board } from './Board.tsx'
import { IssueForm } from './IssueForm.tsx'
import { IssueList } from './IssueList.tsx'
import { IssuePage } from './IssuePage.tsx'
import { Panel } from './Panel.tsx'
import { Problems } from './Problems.tsx'

export function App(): JSX.Element {
  const { view, issue, filters } = route.value
  const panel = useSignal(matchMedia('(min-width: 1100px)').matches)
  const turnPanel = (): void => void (panel.value = !panel.value)
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
          const issue = controller.get(Issue, { id: issueAtHand() ?? route.value.issue })
          if (issue) toggleIssue(issue)
        },
        leave: () => openIssue(),
        panel: turnPanel,
      }),
    [],
  )
  return (
    <div class="app" data-panel={panel.value}>
      <Bar view={view} panel={panel.value} turnPanel={turnPanel} />
      <Problems />
      {view === 'board' ? (
        <Board />
      ) : (
        <main class="tracker" data-open={issue !== undefined}>
          <IssueList filters={filters} open={issue} />
          <section class="detail" aria-label="Issue">
            {issue === undefined ? (
              <p class="empty">
                Choose an issue, or press <kbd>N</kbd> to write one.
              </p>
            ) : issue === 'new' ? (
              <IssueForm />
            ) : (
              <IssuePage key={issue} id={issue} />
            )}
          </section>
        </main>
      )}
      {panel.value && <Panel close={turnPanel} />}
    </div>
  )
}
