import { createSignal, onCleanup, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { toggleIssue } from '../tracker/actions.ts'
import { focusedIssue, keepFocus, moveFocus } from '../tracker/focus.ts'
import { listenToKeys } from '../tracker/keys.ts'
import { Issue } from '../tracker/resources.ts'
import { openIssue, route } from '../tracker/route.ts'
import { controller, journal } from '../tracker/session.ts'
import { tools } from '../tracker/tools.ts'
import { Bar } from './Bar.ts'
import { Board } from './Board.ts'
import { follow } from './follow.ts'
import { IssueForm } from './IssueForm.ts'
import { IssueList } from './IssueList.ts'
import { IssuePage } from './IssuePage.ts'
import { Notices } from './Notices.ts'
import { Panel } from './Panel.ts'

export function App(): JSX.Element {
  const at = follow(route)
  const [panel, setPanel] = createSignal(matchMedia('(min-width: 1100px)').matches)
  onCleanup(keepFocus())
  onCleanup(
    listenToKeys({
      undo: () => void journal.undo(),
      redo: () => void journal.redo(),
      create: () => openIssue('new'),
      search: () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
      next: () => moveFocus(1),
      previous: () => moveFocus(-1),
      toggle() {
        const issue = controller.get(Issue, { id: focusedIssue() ?? at().issue })
        if (issue) toggleIssue(issue)
      },
      leave: () => openIssue(),
      panel: () => setPanel(open => !open),
      devtools: tools.open,
    }),
  )
  return html`
    <div class="app" data-panel=${panel}>
      <${Bar} view=${() => at().view} panel=${panel} setPanel=${setPanel} />
      <${Show} when=${() => at().view === 'issues'} fallback=${() => html`<${Board} />`}>
        ${() => html`
          <main class="tracker" data-open=${() => at().issue !== undefined}>
            <${IssueList} filters=${() => at().filters} open=${() => at().issue} />
            <section class="detail" aria-label="Issue">
              <${Show} when=${() => at().page} keyed=${true} fallback=${() => html`<p class="empty">Choose an issue, or press <kbd>N</kbd> to write one.</p>`}>
                ${(id: string) => (id === 'new' ? html`<${IssueForm} />` : html`<${IssuePage} id=${id} />`)}
              <//>
            </section>
          </main>
        `}
      <//>
      <${Notices} />
      <${Show} when=${panel}>${() => html`<${Panel} setOpen=${setPanel} />`}<//>
    </div>
  `
}
