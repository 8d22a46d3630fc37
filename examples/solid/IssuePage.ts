import { useCache, useController, useQuery, useSuspense } from 'patchcord/solid'
import { createEffect, ErrorBoundary, onCleanup, Show, Suspense, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { deleteIssue, editIssue, renamePerson, toggleIssue } from '../tracker/actions.ts'
import { isMissing, reasonOf, troubleOf } from '../tracker/errors.ts'
import { isOffline } from '../tracker/offline.ts'
import { Issue, IssueResource, PersonResource, priorities, type Person, type Priority } from '../tracker/resources.ts'
import { addressOf, closePage, renumberPage, route } from '../tracker/route.ts'
import { assignees, dayOf, nameOf } from '../tracker/words.ts'
import { Choice } from './Choice.ts'
import { Draft } from './Draft.ts'
import { follow } from './follow.ts'
import { recover } from './recover.ts'

/** One issue: waits under its `Suspense`, and shows an error instead of an issue that it cannot show. */
export function IssuePage(props: { readonly id: string }): JSX.Element {
  return html`
    <${ErrorBoundary} fallback=${(fault: unknown, reset: () => void) => html`<${Failed} id=${props.id} error=${fault} settle=${(answer: Promise<unknown>) => answer.then(reset, () => {})} />`}>
      <${Suspense} fallback=${() => html`<div class="skeleton" aria-hidden="true"></div>`}><${Loaded} id=${props.id} /><//>
    <//>
  `
}

function Loaded(props: { readonly id: string }): JSX.Element {
  const issue = useSuspense(IssueResource.get, { id: props.id })
  recover(issue)
  return html`
    <${Show} when=${issue} fallback=${() => html`<${Gone} />`}>${() => html`<${Editor} issue=${issue()} error=${() => issue.error} />`}<//>
  `
}

function Editor(props: { readonly issue: Issue; readonly error: unknown }): JSX.Element {
  const people = useCache(PersonResource.getList)
  const { issue } = props
  const at = follow(route)
  const offline = follow(isOffline)
  createEffect(() => renumberPage(issue.id))
  return html`
    <article class="page">
      <header>
        <a class="back" href=${() => addressOf(undefined, at().filters)} aria-label="Back to the list"><span class="icon left"></span></a>
        <span class="meta"><span class="status" data-status=${() => issue.status}>${() => issue.status}</span><span>${() => nameOf(issue, offline())}</span><span>${() => dayOf(issue.createdAt)}</span></span>
        <button type="button" class="button" onClick=${() => toggleIssue(issue)}>${() => (issue.status === 'open' ? 'Close issue' : 'Reopen issue')}</button>
      </header>
      <${Show} when=${() => props.error}>${() => html`<p class="trouble" role="alert">${() => troubleOf(props.error, true)}</p>`}<//>
      <div class="heading"><${Draft} label="Title" name="title" value=${() => issue.title} save=${(title: string) => editIssue(issue, { title })} /></div>
      <div class="fields">
        <${Choice} label="Priority" value=${() => issue.priority} options=${priorities.map(each => [each, each])} choose=${(priority: Priority) => editIssue(issue, { priority })} />
        <${Choice} label="Assignee" value=${() => issue.assignee?.id ?? ''} options=${() => assignees(people())} choose=${(assignee: string) => editIssue(issue, { assignee: assignee || null })} />
      </div>
      <label class="field"><span>Description</span><${Draft} label="Description" name="body" rows=${8} value=${() => issue.body} save=${(body: string) => editIssue(issue, { body })} /></label>
      <${Show} when=${() => issue.assignee} keyed=${true}>
        ${(person: Person) => html`
          <label class="field person">
            <span>Name of the assignee</span>
            <${Draft} label="Name of the assignee" value=${() => person.name} save=${(name: string) => renamePerson(person, name)} />
            <small>One person, many issues: all of them show the new name at once.</small>
          </label>
        `}
      <//>
      <footer>
        <button type="button" class="button danger" onClick=${() => { closePage(); deleteIssue(issue) }}>Delete issue</button>
      </footer>
    </article>
  `
}

/** Gone for good, or only out of reach: then it tries again by itself. */
function Failed(props: { readonly id: string; readonly error: unknown; settle(answer: Promise<unknown>): void }): JSX.Element {
  const controller = useController()
  const isGone = isMissing(props.error)
  const again = (): void => props.settle(controller.fetch(IssueResource.get, { id: props.id }))
  // It may have come back in another way: by an undo. To be thrown no more the failure has to be asked away.
  const issue = useQuery(Issue, { id: props.id })
  createEffect(() => {
    if (isGone && issue()) again()
  })
  if (!isGone) {
    const timer = setInterval(again, 3000)
    onCleanup(() => clearInterval(timer))
  }
  return isGone
    ? html`<${Gone} />`
    : html`
        <div class="empty">
          <p>${reasonOf(props.error)}</p>
          <button type="button" class="button" onClick=${again}>Try again</button>
        </div>
      `
}

function Gone(): JSX.Element {
  const at = follow(route)
  return html`
    <div class="empty">
      <p>There is no such issue, or not any more.</p>
      <a class="button" href=${() => addressOf(undefined, at().filters)}>Back to the list</a>
    </div>
  `
}
