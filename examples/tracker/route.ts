import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Filters, Order, Status } from './resources.ts'

/** Where the user is: the list with an issue open beside it, a new one, or the board. It lives in the address. */
export interface Route {
  readonly view: 'issues' | 'board'
  /** The issue that is open; `new` for the form. */
  readonly issue: string | undefined
  readonly filters: Filters
}

const current = signal(read())
addEventListener('hashchange', () => (current.value = read()))

export const route: ReadonlySignal<Route> = current

function read(): Route {
  const [path = '', query] = location.hash.slice(1).split('?')
  const [, view, issue] = path.split('/')
  const given = new URLSearchParams(query)
  const filters: Filters = { orderBy: (given.get('orderBy') as Order | null) ?? 'newest' }
  const status = given.get('status') ?? 'open'
  if (status !== 'all') filters.status = status as Status
  for (const name of ['assignee', 'search'] as const) {
    const value = given.get(name)
    if (value) filters[name] = value
  }
  return { view: view === 'board' ? 'board' : 'issues', issue: issue || undefined, filters }
}

/** The address of an issue, with the list as it is. */
export function addressOf(issue?: number | string, filters: Filters = current.value.filters): string {
  const query = new URLSearchParams({ ...filters, status: filters.status ?? 'all' })
  return `#/issues${issue === undefined ? '' : `/${issue}`}?${query}`
}

export function openIssue(issue?: number | string): void {
  location.hash = addressOf(issue)
  // Now, and not when the event comes: what is left is left before anything happens to it.
  current.value = read()
}

/** Shows another list. It replaces the address, so that Back does not walk through every letter of a search. */
export function filterBy(change: { [Name in keyof Filters]: Filters[Name] | undefined }): void {
  const filters = Object.fromEntries(Object.entries({ ...current.value.filters, ...change }).filter(([, value]) => value)) as Filters
  history.replaceState(null, '', addressOf(current.value.issue, filters))
  current.value = read()
}
