import { useCache } from 'patchcord/solid'
import type { JSX } from 'solid-js'
import html from 'solid-js/html'
import { createIssue, notBlank, type NewIssue } from '../tracker/actions.ts'
import { PersonResource, priorities } from '../tracker/resources.ts'
import { addressOf, closePage, route } from '../tracker/route.ts'
import { assignees } from '../tracker/words.ts'
import { Choice } from './Choice.ts'
import { follow } from './follow.ts'

export function IssueForm(): JSX.Element {
  const at = follow(route)
  const people = useCache(PersonResource.getList)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    createIssue(Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as unknown as NewIssue)
    // It is in the list already.
    closePage()
  }
  return html`
    <form class="page" onSubmit=${submit}>
      <header>
        <a class="back" href=${() => addressOf(undefined, at().filters)} aria-label="Back to the list"><span class="icon left"></span></a>
        <h2>New issue</h2>
      </header>
      <label class="field"><span>Title</span><input name="title" required pattern=${notBlank} autocomplete="off" ref=${(input: HTMLElement) => queueMicrotask(() => input.focus())} /></label>
      <label class="field"><span>Description</span><textarea name="body" rows="6"></textarea></label>
      <div class="fields">
        <${Choice} label="Priority" name="priority" value="normal" options=${priorities.map(each => [each, each])} />
        <${Choice} label="Assignee" name="assignee" value="" options=${() => assignees(people())} />
      </div>
      <footer><button class="button primary">Create issue</button></footer>
    </form>
  `
}
