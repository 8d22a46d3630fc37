import { fillIn } from './fields.ts'
import { IssueResource, PersonResource, type Issue, type Person, type Priority } from './resources.ts'
import { openIssue } from './route.ts'
import { controller, journal } from './session.ts'

/** What the form sends. */
export interface NewIssue {
  readonly title: string
  readonly body: string
  readonly priority: Priority
  /** Empty for nobody. */
  readonly assignee: string
}

/** What a title has to match, as a form says it. */
export const notBlank = String.raw`.*\S.*`

export function createIssue(issue: NewIssue): void {
  const sent = { ...issue, assignee: issue.assignee || null, status: 'open', createdAt: new Date().toISOString() } as const
  const edit = (): void => {
    openIssue('new')
    fillIn({ ...issue })
  }
  journal.act(`Create “${issue.title}”`, () => controller.fetch(IssueResource.getList.unshift, sent), { edit })
}

type Change = Partial<Pick<Issue, 'title' | 'body' | 'status' | 'priority'>> & { readonly assignee?: string | null }

/** Changes an issue. By `move`, because what is changed may belong to other lists than before. */
export function editIssue({ id, title }: Issue, change: Change): void {
  const { status, ...texts } = change
  const edit = (): void => {
    openIssue(id)
    fillIn(texts)
  }
  const options = status ? { notice: `${status === 'open' ? 'Reopened' : 'Closed'} “${title}”` } : { edit }
  journal.act(`${verbOf(change)} “${title}”`, () => controller.fetch(IssueResource.getList.move, { id }, change), options)
}

const verbOf = (change: Change): string =>
  change.status ? (change.status === 'open' ? 'Reopen' : 'Close') : 'title' in change ? 'Rename' : 'assignee' in change ? 'Assign' : change.priority ? 'Prioritize' : 'Describe'

export function toggleIssue(issue: Issue): void {
  editIssue(issue, { status: issue.status === 'open' ? 'closed' : 'open' })
}

export function deleteIssue({ id, title }: Issue): void {
  journal.act(`Delete “${title}”`, () => controller.fetch(IssueResource.delete, { id }), { notice: `Deleted “${title}”` })
}

/** Every issue of this person shows the new name. */
export function renamePerson({ id, name }: Person, next: string): void {
  journal.act(`Rename ${name}`, () => controller.fetch(PersonResource.partialUpdate, { id }, { name: next }))
}
