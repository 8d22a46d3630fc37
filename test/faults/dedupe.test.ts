import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint } from '../../src/index.ts'
import { createClock } from '../../src/testing/index.ts'
import { asyncLaw } from '../support/asyncLaw.ts'

const test = suite('sharing of requests')

/** What may happen, in any order; numbers choose among what there is. */
type Step =
  | { readonly do: 'read'; readonly key: number; readonly leaves: boolean }
  | { readonly do: 'leave' | 'answer' | 'fail'; readonly which: number }
  | { readonly do: 'invalidate' | 'abort'; readonly key: number }
  | { readonly do: 'reset' }

const key = fc.integer({ min: 0, max: 1 })
const which = fc.nat({ max: 7 })
const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), key, leaves: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'answer' as const, 'fail' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('invalidate' as const, 'abort' as const), key }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' as const }) },
), { minLength: 2, maxLength: 20 })

/** A request of the model, and who waits for it. */
interface Request { readonly key: number; readonly readers: Reader[]; open: boolean }

interface Reader {
  readonly request: Request
  /** What he should get. */
  expected: string | undefined
  readonly signal: AbortController | undefined
  readonly got: string[]
}

async function check(history: readonly Step[]): Promise<{ shared: number; parted: number }> {
  const answers: { resolve(value: string): void; reject(error: Error): void }[] = []
  const endpoint = new Endpoint(async (key: number) => `${await new Promise<string>((resolve, reject) => void answers.push({ resolve, reject }))} of ${key}`, { name: 'read' })
  const controller = new Controller({ clock: createClock(), gc: false, retry: false, concurrency: 100 })
  const requests: Request[] = []
  const readers: Reader[] = []
  const joinable = new Map<number, Request>()
  let shared = 0
  let parted = 0

  const end = (request: Request, outcome: string): void => {
    request.open = false
    if (joinable.get(request.key) === request) joinable.delete(request.key)
    for (const reader of request.readers) reader.expected ??= outcome
  }
  for (const step of history) {
    if (step.do === 'read') {
      let request = joinable.get(step.key)
      if (request) shared++
      else {
        request = { key: step.key, readers: [], open: true }
        requests.push(request)
        joinable.set(step.key, request)
      }
      const signal = step.leaves ? new AbortController() : undefined
      const reader: Reader = { request, expected: undefined, signal, got: [] }
      request.readers.push(reader)
      readers.push(reader)
      const call = controller.fetch(signal ? endpoint.extend({ signal: signal.signal }) : endpoint, step.key)
      call.then(value => reader.got.push(value), (error: Error) => reader.got.push(error.name === 'Error' ? error.message : error.name))
    } else if (step.do === 'leave') {
      const reader = readers.filter(({ signal }) => signal)[step.which]
      if (!reader) continue
      reader.signal!.abort()
      if (!reader.request.open) continue
      reader.expected ??= 'AbortError'
      // When the last has left nobody is served, and who comes later starts anew.
      if (reader.request.readers.every(({ signal, expected }) => signal && expected)) end(reader.request, 'AbortError')
    } else if (step.do === 'answer' || step.do === 'fail') {
      const request = requests[step.which]
      if (!request) continue
      const outcome = `${step.do} ${step.which}`
      if (step.do === 'answer') answers[step.which]!.resolve(outcome)
      else answers[step.which]!.reject(new Error(outcome))
      await turns()
      if (request.open) end(request, step.do === 'answer' ? `${outcome} of ${request.key}` : outcome)
    } else if (step.do === 'invalidate') {
      controller.invalidate(endpoint, step.key)
      if (joinable.delete(step.key)) parted++
    } else if (step.do === 'abort') {
      controller.abort(endpoint, step.key)
      for (const request of requests) if (request.open && request.key === step.key) end(request, 'AbortError')
    } else {
      controller.reset()
      for (const request of requests) if (request.open) end(request, 'ResetError')
    }
    // Who leaves in the very turn in which it ended receives the one or the other.
    if (step.do === 'reset' || step.do === 'abort') await turns()
    assert.is(answers.length, requests.length, `requests after ${JSON.stringify(step)}`)
  }
  controller.dispose()
  for (const request of requests) if (request.open) end(request, 'AbortError')
  await turns()
  assert.equal(readers.map(({ got }) => got), readers.map(({ expected }) => [expected]))
  return { shared, parted }
}

/** What is decided needs a few turns to arrive. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await undefined
}

let [met, shared, parted] = [0, 0, 0]
asyncLaw(test, 'INV-45 Reads of one key are one request, across no reset and no invalidation, and each reader is settled once', 5000, steps, async (history) => {
  const found = await check(history)
  met++
  shared += found.shared
  parted += found.parted
}, () => {
  assert.ok(met < 500 || (shared > met && parted > met / 10), `${shared} shared, ${parted} parted`)
  return `${shared} shared, ${parted} parted`
})

test.run()
