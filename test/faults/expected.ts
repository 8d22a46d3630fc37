import { MissingPkError, NetworkError, ParseError, TimeoutError, ValidationError } from '../../src/index.ts'
import type { Step } from './steps.ts'

/** What somebody does with the network. */
export const operations = ['first load', 'refetch', 'PUT', 'DELETE', 'push'] as const
export type Operation = (typeof operations)[number]

/** What becomes of one attempt. */
export interface Outcome {
  readonly error?: abstract new (...args: never) => Error
  readonly status?: number | undefined
  /** Whether the failure is one that passes. */
  readonly passing?: boolean
  /** The server has sent how long to wait, and it is too long. */
  readonly later?: boolean
  /** The answer is taken, and it is about other rows. */
  readonly others?: boolean
}

export const attempts = 3

const fine: Outcome = {}
const broken: Outcome = { error: NetworkError, status: undefined, passing: true }
const late: Outcome = { error: TimeoutError, passing: true }
const unreadable: Outcome = { error: ParseError, status: 400 }
const wrong: Outcome = { error: ValidationError, status: 400 }
const status = (code: number, passing = false): Outcome => ({ error: NetworkError, status: code, passing })
const later = (code: number): Outcome => ({ error: NetworkError, status: code, later: true })

const outcomes: { readonly [S in Step]: Outcome | ((operation: Operation) => Outcome) } = {
  ok: fine,
  slow: fine,
  redirect: fine,
  'no content-type': fine,
  'byte order mark': fine,
  reset: broken,
  closed: broken,
  'not HTTP': broken,
  'reset in the body': broken,
  'short body': broken,
  'broken chunk': broken,
  'bad gzip': broken,
  'redirect loop': broken,
  'redirect to a file': broken,
  'stall before headers': late,
  'stall in the body': late,
  'truncated JSON': unreadable,
  'empty JSON': (operation) => (operation === 'DELETE' ? fine : unreadable),
  'NaN in JSON': unreadable,
  'login page': unreadable,
  // A deletion needs only a status that confirms it. The answer to a creation needs a pk.
  'error in an envelope': (operation) => (operation === 'DELETE' ? fine : { error: MissingPkError, status: 400 }),
  true: (operation) => (operation === 'DELETE' ? fine : wrong),
  null: (operation) => (operation === 'DELETE' ? fine : wrong),
  // Numbers are pks: a deletion of these two, or a list of them, for which there are no records.
  'two numbers': (operation) => (operation === 'DELETE' || operation === 'push' ? { others: true } : { error: MissingPkError, status: 400 }),
  '204': (operation) => (operation === 'DELETE' ? fine : wrong),
  '205': (operation) => (operation === 'DELETE' ? fine : wrong),
  // What is there is what there is.
  '304': (operation) => (operation === 'refetch' ? fine : status(304)),
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': (operation) => (operation === 'DELETE' ? fine : status(404)),
  '409': status(409),
  '410': (operation) => (operation === 'DELETE' ? fine : status(410)),
  '412': status(412),
  '408': status(408, true),
  '429': status(429, true),
  '429, at once': status(429, true),
  '429, garbage': status(429, true),
  '429, negative': status(429, true),
  '429, 2 s': later(429),
  '429, 1e12 s': later(429),
  '503, a date': later(503),
  '500': status(500, true),
  '502': status(502, true),
  '503': status(503, true),
}

export function outcomeOf(step: Step, operation: Operation): Outcome {
  const outcome = outcomes[step]
  return typeof outcome === 'function' ? outcome(operation) : outcome
}

/** What a request comes to that meets `script`, and how often it is sent. A creation is sent once, whatever happens. */
export function expect(script: readonly Step[], operation: Operation): Outcome & { readonly sent: number; readonly last: Step } {
  for (let sent = 1; ; sent++) {
    const last = script[sent - 1] ?? 'ok'
    const outcome = outcomeOf(last, operation)
    if (!outcome.passing || sent === attempts || operation === 'push') return { ...outcome, sent, last }
  }
}
