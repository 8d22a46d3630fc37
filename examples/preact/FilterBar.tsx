import { useController, useDLE } from 'patchcord/preact'
import type { JSX } from 'preact'
import { PersonResource, type Filters, type Order, type Status } from '../tracker/resources.ts'
import { filterBy, openIssue } from '../tracker/route.ts'
import { useRecovery } from './useRecovery.ts'

const statuses: readonly (readonly [Status | undefined, string])[] = [['open', 'Open'], ['closed', 'Closed'], [undefined, 'All']]
const orders: readonly (readonly [Order, string])[] = [['newest', 'Newest'], ['oldest', 'Oldest'], ['priority', 'Priority']]

export function FilterBar({ filters }: { readonly filters: Filters }): JSX.Element {
  const controller = useController()
  const { data: people = [], error } = useDLE(PersonResource.getList)
  useRecovery(error, () => controller.fetch(PersonResource.getList))
  return (
    <form class="filters" role="search" onSubmit={event => event.preventDefault()}>
      <input type="search" placeholder="Search titles" aria-label="Search titles" value={filters.search ?? ''} onInput={event => filterBy({ search: event.currentTarget.value })} />
      <button type="button" class="button primary" onClick={() => openIssue('new')}>
        New issue
      </button>
      <div class="segments" role="group" aria-label="Status">
        {statuses.map(([status, label]) => (
          <button type="button" aria-pressed={filters.status === status} onClick={() => filterBy({ status })}>
            {label}
          </button>
        ))}
      </div>
      <select aria-label="Assignee" value={filters.assignee ?? ''} onChange={event => filterBy({ assignee: event.currentTarget.value })}>
        <option value="">Everybody</option>
        {people.map(({ id, name }) => (
          <option value={id}>{name}</option>
        ))}
      </select>
      <select aria-label="Order" value={filters.orderBy ?? 'newest'} onChange={event => filterBy({ orderBy: event.currentTarget.value as Order })}>
        {orders.map(([order, label]) => (
          <option value={order}>{label}</option>
        ))}
      </select>
    </form>
  )
}
