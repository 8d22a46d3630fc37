import { useController, useDLE, useLoading, useQuery } from 'patchcord/preact'
import type { JSX } from 'preact'
import { memo } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { toggleIssue } from '../tracker/actions.ts'
import { troubleOf } from '../tracker/errors.ts'
import { isOffline } from '../tracker/offline.ts'
import { IssueResource, sortedIssues, type Filters, type Issue } from '../tracker/resources.ts'
import { addressOf } from '../tracker/route.ts'
import { dayOf, initialsOf, nameOf, plural } from '../tracker/words.ts'
import { FilterBar } from './FilterBar.tsx'
import { useRecovery } from './useRecovery.ts'

interface IssueListProps {
  readonly filters: Filters
  /** The issue that is open. */
  readonly open: string | undefined
}

export function IssueList({ filters, open }: IssueListProps): JSX.Element {
  const controller = useController()
  const { data, isPrevious, loading: fetching, error } = useDLE(IssueResource.getList, filters)
  useRecovery(error, () => controller.fetch(IssueResource.getList, filters))
  const sorted = useQuery(sortedIssues, filters)
  // While another list is on its way, the last one stays; if it does not come, it would be a lie.
  const last = useRef(sorted)
  const issues = (last.current = sorted ?? (error || isOffline.value ? undefined : last.current))
  const cursor = isPrevious ? '' : (data?.cursor ?? '')
  return (
    <section class="list" aria-label="Issues" aria-busy={fetching}>
      <FilterBar filters={filters} />
      {error !== undefined && (
        <p class="trouble" role="alert">
          {troubleOf(error, issues !== undefined)}
        </p>
      )}
      {issues ? (
        <>
          <ul class="issues">
            {issues.map(issue => (
              <IssueRow key={issue.id} issue={issue} isOpen={open === String(issue.id)} address={addressOf(issue.id)} />
            ))}
            {issues.length === 0 && <li class="empty">Nothing here. Other filters may find more.</li>}
          </ul>
          <footer class="more">
            <span>
              {plural(issues.length, 'issue')}
              {cursor && ', and more'}
            </span>
            {cursor && <More key={addressOf()} filters={filters} cursor={cursor} />}
          </footer>
        </>
      ) : (
        isOffline.value ? <p class="empty">This list is not on this device. It comes when you are online.</p> : <div class="skeleton" aria-hidden="true" />
      )}
    </section>
  )
}

/** Made anew for each list: what failed in one says nothing of another. */
function More({ filters, cursor }: { readonly filters: Filters; readonly cursor: string }): JSX.Element {
  const controller = useController()
  const [loadMore, loading, failure] = useLoading(() => controller.fetch(IssueResource.getList.getPage, { ...filters, cursor }))
  return (
    <button type="button" class="button" disabled={loading} onClick={() => loadMore()}>
      {loading ? 'Loading…' : failure ? 'Try again' : 'Load more'}
    </button>
  )
}

interface IssueRowProps {
  readonly issue: Issue
  readonly isOpen: boolean
  readonly address: string
}

/** An issue that did not change is the same object, so its row is not rendered again. */
const IssueRow = memo(({ issue, isOpen, address }: IssueRowProps) => {
  const { id, title, status, priority, assignee, createdAt, isSaved } = issue
  return (
    <li class="issue" data-id={id} data-status={status} data-saved={isSaved}>
      <button type="button" class="check" role="checkbox" aria-checked={status === 'closed'} aria-label={`Close ${title}`} onClick={() => toggleIssue(issue)} />
      <a href={address} aria-current={isOpen ? 'true' : undefined}>
        <span class="title">{title}</span>
        <span class="meta">
          <span>{nameOf(issue, isOffline.value)}</span>
          <span>{dayOf(createdAt)}</span>
          <span class="priority" data-priority={priority}>
            {priority}
          </span>
        </span>
        <span class="face" title={assignee?.name}>
          {initialsOf(assignee?.name ?? '')}
        </span>
      </a>
    </li>
  )
})
