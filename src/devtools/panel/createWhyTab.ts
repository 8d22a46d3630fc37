import { cellNamed, dependentsOf, reasonsOf } from '../inspect.ts'
import type { RecordedCommit } from '../RecordedCommit.ts'
import { rowText } from '../names.ts'
import { button, fill, h, note, searchField } from './dom.ts'
import { createCheck, type PanelModel, type Tab } from './PanelModel.ts'
import { aboutText, clockText, numberText } from './text.ts'

/** How many names a column shows. */
const MOST_NAMES = 50

/** For a commit: what it changed, rebuilt and woke. For a row or view: the commits that changed it, and what depends on it. */
export function createWhyTab(model: PanelModel): Tab {
  const hasChanged = createCheck()

  const link = (name: string): HTMLElement => h('button.link', { 'aria-pressed': `${name === model.subject}`, click: () => model.ask(name) }, name)

  const column = (word: string, count: number | undefined, all: readonly string[], empty: string): HTMLElement => {
    const names = [...new Set(all)].slice(0, MOST_NAMES)
    const left = (count ?? 0) - all.length
    return h('section.column', h('h3', h('strong', count === undefined ? '–' : numberText(count)), ` ${word}`), names.length > 0 ? h('ul', ...names.map(name => h('li', link(name))), left > 0 && h('li', `and ${numberText(left)} more`)) : note(empty))
  }

  const columns = (commit: RecordedCommit): HTMLElement[] => [
    column('changed rows', commit.changed, commit.changes.slice(0, MOST_NAMES).map(({ cell }) => rowText(cell)), 'Readers saw this already.'),
    column('rebuilt views', commit.rebuiltCount, commit.rebuiltViews, 'No snapshot of it is in use.'),
    column('woken signals', commit.wokenCount, commit.wokenSignals, 'No reader ran again.'),
    column('DOM mutations', commit.mutations, [], commit.mutations === undefined ? 'Counted while the panel is open.' : ''),
  ]

  const reasons = (subject: string): HTMLElement[] => {
    const found = reasonsOf(model.session.commits, model.state, subject)
    const cell = model.opened ? undefined : cellNamed(model.controller.timeline.visible, subject)
    const dependents = new Map(dependentsOf(cell))
    return [
      h('h2', subject),
      h('div.columns',
        h('section', h('h3', 'Last reasons it changed'), found.length === 0 ? note('No recorded commit.') : h('ol.reasons', ...found.map(({ commit, text }) =>
          h('li', button(`#${commit.id}`, () => model.choose(commit)), h('span.cause', { 'data-cause': commit.cause }, commit.cause), h('span.about', text), h('span.about.faint', commit.endpoint), h('time', clockText(commit.at)))))),
        h('section', h('h3', 'What depends on it'), dependents.size === 0 ? note('No view shows it now.') : h('ul.reasons', ...[...dependents].slice(0, MOST_NAMES).map(([name, isWatched]) => h('li', link(name), isWatched && h('span.badge', 'watched')))))),
    ]
  }

  const input = searchField('Row or view: Todo 5', () => model.ask(input.value))
  const title = h('h2')
  const about = h('span.about')
  const flow = h('div.flow')
  const subjectPart = h('section.subject', { 'aria-label': 'Reasons' })
  const element = h('div.tab.why', h('header.bar', title, about, input), h('div.scroll', flow, subjectPart))
  return {
    element,
    update() {
      const { session, subject = '' } = model
      const { commits } = session
      const commit = model.commit ?? commits.at(-1)
      if (!hasChanged(commits, commit, commit?.rebuiltCount, commit?.mutations, subject)) return
      if (input.value !== subject) input.value = subject
      fill(title, commit ? `#${commit.id} ${commit.cause}` : 'No commit')
      fill(about, commit && aboutText(commit))
      fill(flow, ...(commit ? columns(commit) : []))
      fill(subjectPart, ...(subject ? reasons(subject) : [note('Choose a row or a view.')]))
    },
  }
}
