import { For, type JSX } from 'solid-js'
import html from 'solid-js/html'
import type { Problem } from '../tracker/journal.ts'
import { journal } from '../tracker/session.ts'
import { reasonOf } from '../tracker/words.ts'
import { follow } from './follow.ts'

/** What the user did and the server did not take. It stays until it is tried again or let go. */
export function Problems(): JSX.Element {
  return html`
    <div class="problems" role="status">
      <${For} each=${follow(journal.problems)}>
        ${(problem: Problem) => html`
          <div class="problem">
            <p><strong>${problem.label}</strong> ${` did not work. ${reasonOf(problem.error)}`}</p>
            <button type="button" class="button" onClick=${() => problem.retry()}>Try again</button>
            <button type="button" class="button quiet" onClick=${() => journal.dismiss(problem)}>Let go</button>
          </div>
        `}
      <//>
    </div>
  `
}
