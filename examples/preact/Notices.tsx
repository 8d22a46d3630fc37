import type { JSX } from 'preact'
import { reasonOf } from '../tracker/errors.ts'
import { isOffline, workOffline } from '../tracker/offline.ts'
import { journal, waiting } from '../tracker/session.ts'
import { outboxOf } from '../tracker/words.ts'

/** Below the page: what was just done, and what failed. A failure stays until the user decides about it. */
export function Notices(): JSX.Element {
  const notice = journal.notice.value
  const count = waiting.value
  // Online, a change is sent at once: only more than one is worth a line.
  const outbox = isOffline.value || count > 1 ? outboxOf(isOffline.value, count) : ''
  return (
    <div class="notices" role="status">
      {outbox && (
        <div class="notice outbox" data-waiting={count}>
          <p>{outbox}</p>
          {isOffline.value && (
            <button type="button" class="button" onClick={() => workOffline(false)}>
              Go online
            </button>
          )}
        </div>
      )}
      {journal.problems.value.map(problem => (
        <div class="notice problem">
          <p>
            <strong>{problem.label}</strong> did not work. {reasonOf(problem.error)}
          </p>
          {problem.retry && (
            <button type="button" class="button" onClick={problem.retry}>
              Try again
            </button>
          )}
          {problem.edit && (
            <button type="button" class="button" onClick={problem.edit}>
              Edit
            </button>
          )}
          <button type="button" class="button quiet" onClick={() => journal.dismiss(problem)}>
            Dismiss
          </button>
        </div>
      ))}
      {notice && (
        <div class="notice">
          <p>{notice}</p>
          <button type="button" class="button quiet" onClick={() => journal.undo()}>
            Undo
          </button>
        </div>
      )}
    </div>
  )
}
