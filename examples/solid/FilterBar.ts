import { useDLE } from 'patchcord/solid'
import { For, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { PersonResource, type Filters, type Order, type Person, type Status } from '../tracker/resources.ts'
import { filterBy, openIssue } from '../tracker/route.ts'
import { recover } from './recover.ts'

const statuses: readonly (readonly [Status | undefined, string])[] = [['open', 'Open'], ['closed', 'Closed'], [undefined, 'All']]
const orders: readonly (readonly [Order, string])[] = [['newest', 'Newest'], ['oldest', 'Oldest'], ['priority', 'Priority']]

const valueOf = (event: Event): string => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value

export function FilterBar(props: { readonly filters: Filters }): JSX.Element {
  const people = useDLE(PersonResource.getList)
  recover(people)
  return html`
    <form class="filters" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" placeholder="Search titles" aria-label="Search titles" value=${() => props.filters.search ?? ''} onInput=${(event: Event) => filterBy({ search: valueOf(event) })} />
      <button type="button" class="button primary" onClick=${() => openIssue('new')}>New issue</button>
      <div class="segments" role="group" aria-label="Status">
        <${For} each=${statuses}>
          ${([status, label]: readonly [Status | undefined, string]) => html`
            <button type="button" aria-pressed=${() => String(props.filters.status === status)} onClick=${() => filterBy({ status })}>${label}</button>
          `}
        <//>
      </div>
      <select aria-label="Assignee" onChange=${(event: Event) => filterBy({ assignee: valueOf(event) })}>
        <option value="">Everybody</option>
        <${For} each=${() => people.data}>
          ${(person: Person) => html`<option value=${person.id} selected=${() => props.filters.assignee === person.id}>${() => person.name}</option>`}
        <//>
      </select>
      <select aria-label="Order" onChange=${(event: Event) => filterBy({ orderBy: valueOf(event) as Order })}>
        <${For} each=${orders}>${([order, label]: readonly [Order, string]) => html`<option value=${order} selected=${() => props.filters.orderBy === order}>${label}</option>`}<//>
      </select>
    </form>
  `
}
