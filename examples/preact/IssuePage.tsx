import { useCache, useController, useQuery, useSuspense } from 'patchcord/preact'
import type { JSX } from 'preact'
import { Suspense } from 'preact/compat'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { deleteIssue, editIssue, renamePerson, toggleIssue } from '../tracker/actions.ts'
import { isMissing, reasonOf, troubleOf } from '../tracker/errors.ts'
import { isOffline } from '../tracker/offline.ts'
import { Issue, IssueResource, PersonResource, priorities, type Priority } from '../tracker/resources.ts'
import { addressOf, closePage, renumberPage } from '../tracker/route.ts'
import { assignees, dayOf, nameOf } from '../tracker/words.ts'
import { Choice } from './Choice.tsx'
import { Draft } from './Draft.tsx'
import { useRecovery } from './useRecovery.ts'

/** One issue: waits under its `Suspense`, and shows an error instead of an issue that it cannot show. */
export function IssuePage({ id }: { readonly id: string }): JSX.Element {
  const [error, reset] = useErrorBoundary()
  if (error !== undefined) return <Failed id={id} error={error} again={reset} />
  return (
    <Suspense fallback={<div class="skeleton" aria-hidden="true" />}>
      <Editor id={id} />
    </Suspense>
  )
}

function Editor({ id }: { readonly id: string }): JSX.Element {
  const issue = useSuspense(IssueResource.get, { id })
  const controller = useController()
  const error = controller.getError(IssueResource.get, { id })
  useRecovery(error, () => controller.fetch(IssueResource.get, { id }))
  const people = useCache(PersonResource.getList)
  const { assignee: person } = issue
  useEffect(() => renumberPage(issue.id), [issue.id])
  return (
    <article class="page">
      <header>
        <a class="back" href={addressOf()} aria-label="Back to the list">
          <span class="icon left" />
        </a>
        <span class="meta">
          <span class="status" data-status={issue.status}>
            {issue.status}
          </span>
          <span>{nameOf(issue, isOffline.value)}</span>
          <span>{dayOf(issue.createdAt)}</span>
        </span>
        <button type="button" class="button" onClick={() => toggleIssue(issue)}>
          {issue.status === 'open' ? 'Close issue' : 'Reopen issue'}
        </button>
      </header>
      {error !== undefined && (
        <p class="trouble" role="alert">
          {troubleOf(error, true)}
        </p>
      )}
      <div class="heading">
        <Draft label="Title" name="title" value={issue.title} save={title => editIssue(issue, { title })} />
      </div>
      <div class="fields">
        <Choice label="Priority" value={issue.priority} options={priorities.map(each => [each, each])} choose={priority => editIssue(issue, { priority: priority as Priority })} />
        <Choice label="Assignee" value={person?.id ?? ''} options={assignees(people)} choose={assignee => editIssue(issue, { assignee: assignee || null })} />
      </div>
      <label class="field">
        <span>Description</span>
        <Draft label="Description" name="body" rows={8} value={issue.body} save={body => editIssue(issue, { body })} />
      </label>
      {person && (
        <label class="field person">
          <span>Name of the assignee</span>
          <Draft key={person.id} label="Name of the assignee" value={person.name} save={name => renamePerson(person, name)} />
          <small>One person, many issues: all of them show the new name at once.</small>
        </label>
      )}
      <footer>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            closePage()
            deleteIssue(issue)
          }}
        >
          Delete issue
        </button>
      </footer>
    </article>
  )
}

/** Gone for good, or only out of reach: then it tries again by itself. */
function Failed({ id, error, again }: { readonly id: string; readonly error: unknown; again(): void }): JSX.Element {
  const controller = useController()
  const isGone = isMissing(error)
  const ask = (): void => void controller.fetch(IssueResource.get, { id }).then(again, () => {})
  // It may have come back in another way: by an undo. To be thrown no more the failure has to be asked away.
  const issue = useQuery(Issue, { id })
  useEffect(() => {
    if (isGone && issue) ask()
  }, [issue])
  useEffect(() => {
    if (isGone) return undefined
    const timer = setInterval(ask, 3000)
    return () => clearInterval(timer)
  }, [id, isGone])
  return (
    <div class="empty">
      <p>{isGone ? 'There is no such issue, or not any more.' : reasonOf(error)}</p>
      {isGone ? (
        <a class="button" href={addressOf()}>
          Back to the list
        </a>
      ) : (
        <button type="button" class="button" onClick={ask}>
          Try again
        </button>
      )}
    </div>
  )
}
