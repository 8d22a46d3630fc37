import { useCache } from 'patchcord/preact'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { createIssue, notBlank, type NewIssue } from '../tracker/actions.ts'
import { PersonResource, priorities } from '../tracker/resources.ts'
import { addressOf, closePage } from '../tracker/route.ts'
import { assignees } from '../tracker/words.ts'
import { Choice } from './Choice.tsx'

export function IssueForm(): JSX.Element {
  const people = useCache(PersonResource.getList)
  const title = useRef<HTMLInputElement>(null)
  useEffect(() => title.current?.focus(), [])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    createIssue(Object.fromEntries(new FormData(event.currentTarget)) as unknown as NewIssue)
    // It is in the list already.
    closePage()
  }
  return (
    <form class="page" onSubmit={submit}>
      <header>
        <a class="back" href={addressOf()} aria-label="Back to the list">
          <span class="icon left" />
        </a>
        <h2>New issue</h2>
      </header>
      <label class="field">
        <span>Title</span>
        <input name="title" required pattern={notBlank} autocomplete="off" ref={title} />
      </label>
      <label class="field">
        <span>Description</span>
        <textarea name="body" rows={6} />
      </label>
      <div class="fields">
        <Choice label="Priority" name="priority" value="normal" options={priorities.map(each => [each, each])} />
        <Choice label="Assignee" name="assignee" value="" options={assignees(people)} />
      </div>
      <footer>
        <button class="button primary">Create issue</button>
      </footer>
    </form>
  )
}
