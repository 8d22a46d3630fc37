import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Filters, Order, Status } from './resources.ts'

/** Where the user is: the list with an issue open beside it, a new one, or the board. It lives in the address. */
export interface Route {
  readonly view: 'issues' | 'board'
  /** The issue that is open; `new` for the form. */
  readonly issue: string | undefined
  /** Names the open page. It stays when a new issue gets its number, so that the page and what is typed there stay too. */
  readonly page: string | undefined
  readonly filters: Filters
}

const current = signal(read())
addEventListener('hashchange', () => (current.value = read()))

export const route: ReadonlySignal<Route> = current

function read(): Route {
  const [path = '', query] = location.hash.slice(1).split('?')
  const [, view, id] = path.split('/')
  const issue = id ? decodeURIComponent(id) : undefined
  const given = new URLSearchParams(query)
  const filters: Filters = { orderBy: (given.get('orderBy') as Order | null) ?? 'newest' }
  const status = given.get('status') ?? 'open'
  if (status !== 'all') filters.status = status as Status
  for (const name of ['assignee', 'search'] as const) {
    const value = given.get(name)
    if (value) filters[name] = value
  }
  return { view: view === 'board' ? 'board' : 'issues', issue, page: issue, filters }
}

/** The address of an issue, with the list as it is. */
export function addressOf(issue?: number | string, filters: Filters = current.value.filters): string {
  const query = new URLSearchParams({ ...filters, status: filters.status ?? 'all' })
  return `#/issues${issue === undefined ? '' : `/${encodeURIComponent(issue)}`}?${query}`
}

/** Goes there at once: the page that is left is gone before anything happens to its issue. */
function go(how: 'pushState' | 'replaceState', address: string): void {
  if (address === location.hash) return
  history[how](null, '', address)
  current.value = read()
}

export function openIssue(issue?: number | string): void {
  go('pushState', addressOf(issue))
}

/** Closes a page that Back must not return to: a form that was sent, or an issue that was deleted. */
export function closePage(): void {
  go('replaceState', addressOf())
}

/** Writes the id of the open issue into the address: a new issue gets its number while it is open. The page stays. */
export function renumberPage(id: number | string): void {
  const { issue, page } = current.peek()
  if (issue === undefined || issue === String(id)) return
  history.replaceState(null, '', addressOf(id))
  current.value = { ...read(), page }
}

/** Shows another list. Back returns to the list before, not to every letter of a search. */
export function filterBy(change: { [Name in keyof Filters]: Filters[Name] | undefined }): void {
  const { issue, filters } = current.value
  const next = Object.fromEntries(Object.entries({ ...filters, ...change }).filter(([, value]) => value)) as Filters
  go(change.search && filters.search ? 'replaceState' : 'pushState', addressOf(issue, next))
}
