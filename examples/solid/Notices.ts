import { For, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { reasonOf } from '../tracker/errors.ts'
import type { Problem } from '../tracker/journal.ts'
import { isOffline, workOffline } from '../tracker/offline.ts'
import { journal, waiting } from '../tracker/session.ts'
import { outboxOf } from '../tracker/words.ts'
import { follow } from './follow.ts'

/** Below the page: what was just done, and what failed. A failure stays until the user decides about it. */
export function Notices(): JSX.Element {
  const notice = follow(journal.notice)
  const offline = follow(isOffline)
  const count = follow(waiting)
  // Online, a change is sent at once: only more than one is worth a line.
  const outbox = (): string => (offline() || count() > 1 ? outboxOf(offline(), count()) : '')
  return html`
    <div class="notices" role="status">
      <${Show} when=${outbox}>
        <div class="notice outbox" data-waiting=${count}>
          <p>${outbox}</p>
          <${Show} when=${offline}><button type="button" class="button" onClick=${() => workOffline(false)}>Go online</button><//>
        </div>
      <//>
      <${For} each=${follow(journal.problems)}>
        ${(problem: Problem) => html`
          <div class="notice problem">
            <p><strong>${problem.label}</strong> ${` did not work. ${reasonOf(problem.error)}`}</p>
            <${Show} when=${() => problem.retry !== undefined}><button type="button" class="button" onClick=${() => problem.retry!()}>Try again</button><//>
            <${Show} when=${() => problem.edit !== undefined}><button type="button" class="button" onClick=${() => problem.edit!()}>Edit</button><//>
            <button type="button" class="button quiet" onClick=${() => journal.dismiss(problem)}>Dismiss</button>
          </div>
        `}
      <//>
      <${Show} when=${notice}>
        <div class="notice">
          <p>${notice}</p>
          <button type="button" class="button quiet" onClick=${() => journal.undo()}>Undo</button>
        </div>
      <//>
    </div>
  `
}
