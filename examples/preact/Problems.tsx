import type { JSX } from 'preact'
import { journal } from '../tracker/session.ts'
import { reasonOf } from '../tracker/words.ts'

/** What the user did and the server did not take. It stays until it is tried again or let go. */
export function Problems(): JSX.Element {
  return (
    <div class="problems" role="status">
      {journal.problems.value.map(problem => (
        <div class="problem">
          <p>
            <strong>{problem.label}</strong> did not work. {reasonOf(problem.error)}
          </p>
          <button type="button" class="button" onClick={() => problem.retry()}>
            Try again
          </button>
          <button type="button" class="button quiet" onClick={() => journal.dismiss(problem)}>
            Let go
          </button>
        </div>
      ))}
    </div>
  )
}
