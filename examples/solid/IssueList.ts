import { useController, useDLE, useLoading, useQuery } from 'patchcord/solid'
import { createMemo, For, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { toggleIssue } from '../tracker/actions.ts'
import { troubleOf } from '../tracker/errors.ts'
import { isOffline } from '../tracker/offline.ts'
import { IssueResource, sortedIssues, type Filters, type Issue } from '../tracker/resources.ts'
import { addressOf } from '../tracker/route.ts'
import { dayOf, initialsOf, nameOf, plural } from '../tracker/words.ts'
import { FilterBar } from './FilterBar.ts'
import { follow } from './follow.ts'
import { recover } from './recover.ts'

interface IssueListProps {
  readonly filters: Filters
  /** The issue that is open. */
  readonly open: string | undefined
}

export function IssueList(props: IssueListProps): JSX.Element {
  const filters = (): Filters => props.filters
  const list = useDLE(IssueResource.getList, filters)
  recover(list)
  const sorted = useQuery(sortedIssues, filters)
  const offline = follow(isOffline)
  // While another list is on its way, the last one stays; if it does not come, it would be a lie.
  const issues = createMemo<readonly Issue[] | undefined>(before => sorted() ?? (list.error || offline() ? undefined : before))
  const cursor = (): string => (list.isPrevious ? '' : (list.data?.cursor ?? ''))
  return html`
    <section class="list" aria-label="Issues" aria-busy=${() => String(list.loading)}>
      <${FilterBar} filters=${filters} />
      <${Show} when=${() => list.error}>
        ${() => html`<p class="trouble" role="alert">${() => troubleOf(list.error, issues() !== undefined)}</p>`}
      <//>
      <${Show} when=${issues} fallback=${() => html`<${Show} when=${offline} fallback=${() => html`<div class="skeleton" aria-hidden="true"></div>`}><p class="empty">This list is not on this device. It comes when you are online.</p><//>`}>
        <ul class="issues">
          <${For} each=${issues} fallback=${() => html`<li class="empty">Nothing here. Other filters may find more.</li>`}>
            ${(issue: Issue) => html`<${IssueRow} issue=${issue} isOpen=${() => props.open === String(issue.id)} address=${() => addressOf(issue.id, filters())} />`}
          <//>
        </ul>
        <footer class="more">
          <span>${() => plural(issues()?.length ?? 0, 'issue')}${() => (cursor() ? ', and more' : '')}</span>
          <${Show} when=${() => cursor() && addressOf(undefined, filters())} keyed=${true}>${(_address: string) => html`<${More} filters=${filters} cursor=${cursor} />`}<//>
        </footer>
      <//>
    </section>
  `
}

/** Made anew for each list: what failed in one says nothing of another. */
function More(props: { readonly filters: Filters; readonly cursor: string }): JSX.Element {
  const controller = useController()
  const [loadMore, loading, error] = useLoading(() => controller.fetch(IssueResource.getList.getPage, { ...props.filters, cursor: props.cursor }))
  return html`<button type="button" class="button" disabled=${loading} onClick=${() => loadMore()}>${() => (loading() ? 'Loading…' : error() ? 'Try again' : 'Load more')}</button>`
}

/** Its texts follow the fields of its issue one by one; the row itself is made once. */
function IssueRow(props: { readonly issue: Issue; readonly isOpen: boolean; readonly address: string }): JSX.Element {
  const { issue } = props
  const offline = follow(isOffline)
  return html`
    <li class="issue" data-id=${() => issue.id} data-status=${() => issue.status} data-saved=${() => issue.isSaved}>
      <button type="button" class="check" role="checkbox" aria-checked=${() => String(issue.status === 'closed')} aria-label=${() => `Close ${issue.title}`} onClick=${() => toggleIssue(issue)}></button>
      <a href=${() => props.address} aria-current=${() => (props.isOpen ? 'true' : undefined)}>
        <span class="title">${() => issue.title}</span>
        <span class="meta">
          <span>${() => nameOf(issue, offline())}</span>
          <span>${() => dayOf(issue.createdAt)}</span>
          <span class="priority" data-priority=${() => issue.priority}>${() => issue.priority}</span>
        </span>
        <span class="face" title=${() => issue.assignee?.name}>${() => initialsOf(issue.assignee?.name ?? '')}</span>
      </a>
    </li>
  `
}
