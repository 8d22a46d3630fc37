import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, createNetwork, createResource } from '../../src/index.ts'
import type { NetworkError } from '../../src/index.ts'
import { counting } from './counting.ts'
import { chance, multiplier, only, seed } from './random.ts'
import { unhandledIn } from '../support/caught.ts'
import { Item, serveFaults } from './server.ts'
import { steadyClock } from './steadyClock.ts'
import { attempts, expect, operations, steps as table, type Operation, type Step } from './steps.ts'

const test = suite('the fault matrix')

const steps = Object.keys(table) as Step[]
const server = await serveFaults()
const unhandled = unhandledIn(test)
test.after(() => server.close())

/** In turns of the event loop. Only what stalls ever waits for it. */
const timeout = 1000
const cap = 20

interface Case { readonly name: string; readonly operation: Operation; readonly awaited: boolean; readonly script: readonly Step[] }

/** Every fault under every operation, awaited and ignored, in turn; how long it lasts, and what follows it, by chance. */
function caseOf(index: number, jumps: boolean): Case {
  const random = chance(seed + index * 7919)
  const round = Math.floor(index / (steps.length * operations.length * 2))
  const script: Step[] = []
  // Twenty-one requests each: a few rounds of them are enough.
  const fault = round > 2 && steps[index % steps.length] === 'redirect loop' ? 'reset' : steps[index % steps.length]!
  const lasting = round === 0 ? attempts : Math.floor(random() * (attempts + 1))
  for (let n = 0; n < Math.max(1, lasting); n++) script.push(fault)
  if (random() < 0.3) script.push(steps[Math.floor(random() * steps.length)]!)
  return {
    name: `${jumps ? 'j' : 'n'}${index}`,
    operation: operations[Math.floor(index / steps.length) % operations.length]!,
    awaited: Math.floor(index / (steps.length * operations.length)) % 2 === 0,
    script,
  }
}

test('every fault, under every operation, awaited and ignored', () => matrix(false))
test('the same, each once, while the wall clock jumps an hour ahead and back', () => matrix(true))

async function matrix(jumps: boolean): Promise<void> {
  const reported: unknown[] = []
  const clock = steadyClock(jumps)
  const Items = createResource({ urlPrefix: server.url, path: '/items/:id', schema: Item, searchParams: {} as { group?: string }, optimistic: true })
  // Several stores, so that none gets large: it is requests that are tried here.
  const clients = Array.from({ length: Math.ceil(10 * Math.max(1, multiplier)) }, () => {
    // Fewer slots than calls: some always wait.
    const { network, settled } = counting(createNetwork({ timeout, retry: { attempts, base: 2, cap }, concurrency: 12 }))
    return { controller: new Controller({ managers: [network], clock, onError: (error) => void reported.push(error) }), settled }
  })
  const before = { text: 'before' }
  const optimistic = { PUT: 'changed', DELETE: undefined, push: 1 }

  async function run(index: number): Promise<void> {
    const { name, operation, awaited, script } = caseOf(index, jumps)
    const { controller, settled } = clients[index % clients.length]!
    const here = `SEED=${seed} CASE=${index} (${operation}, ${awaited ? 'awaited' : 'ignored'}): ${script.join(' → ')}`
    const expected = expect(script, operation)
    if (jumps && script.includes('503, a date')) return
    server.scripts.set(name, [...script])
    if (operation === 'push') controller.setResponse(Items.getList, { group: name }, [])
    else if (operation !== 'first load') controller.setResponse(Items.get, { id: name }, { id: name, ...before })

    const seen: unknown[] = []
    const stop = effect(() => void seen.push(operation === 'push' ? controller.get(Items.getList.schema, { group: name })?.length : controller.get(Item, { id: name })?.text))

    const start = {
      'first load': () => controller.fetch(Items.get, { id: name }),
      refetch: () => controller.fetch(Items.get, { id: name }),
      PUT: () => controller.fetch(Items.update, { id: name }, { text: 'changed' }),
      DELETE: () => controller.fetch(Items.delete, { id: name }),
      push: () => controller.fetch(Items.getList.push, { group: name }, { name, text: 'pushed', group: name } as never),
    }[operation]
    const method = { 'first load': 'GET', refetch: 'GET', PUT: 'PUT', DELETE: 'DELETE', push: 'POST' }[operation]
    const request = `${method} ${name}`
    const done = settled.next(request)
    const promise = start()
    // What is expected shows at once, whatever comes of it.
    if (operation in optimistic) assert.is(seen.at(-1), optimistic[operation as keyof typeof optimistic], here)
    if (awaited) {
      const outcome = await promise.then(() => undefined, (error: unknown) => error as NetworkError)
      if (expected.error === undefined) assert.is(outcome, undefined, `${here}\n  should have been fine: ${String(outcome)}`)
      else {
        assert.ok(outcome instanceof expected.error, `${here}\n  should have failed with ${expected.error.name}: ${String(outcome)}`)
        assert.is(outcome.status, expected.status, here)
        // What a date says depends on what the clock says.
        if (!jumps) assert.is('retryAt' in outcome && outcome.retryAt !== undefined && outcome.retryAt > clock.date() + cap, expected.later ?? false, here)
      }
    } else {
      await done
      await new Promise((resolve) => setTimeout(resolve))
    }
    stop()

    // Sent as often as it may be, and settled once.
    const met = server.log.get(request) ?? []
    assert.is(met.length, expected.sent, `${here}\n  sent so often, and met: ${met.join(' → ')}`)
    assert.is(settled.count(request), 1, `${here}\n  settled so often`)

    // What is on screen.
    const failed = expected.error !== undefined
    const text = controller.get(Item, { id: name })?.text
    const last = seen.at(-1)
    if (operation === 'first load') assert.is(text, failed ? undefined : 'from the server', here)
    if (operation === 'refetch') {
      assert.is(text, failed || expected.last === '304' ? 'before' : 'from the server', here)
      assert.not(seen.includes(undefined), `${here}\n  was blank for a moment`)
      assert.is(controller.getError(Items.get, { id: name }) !== undefined, failed, `${here}\n  the error stands beside the data`)
    }
    // After a conflict the server is asked what it has.
    const allowed = met.at(-1) === '409' || met.at(-1) === '412' ? ['before', 'from the server'] : ['before']
    if (operation === 'PUT') assert.ok(failed ? allowed.includes(text!) : text === 'changed', `${here}: ${text}`)
    if (operation === 'DELETE') assert.ok(failed || expected.others ? allowed.includes(text!) : text === undefined, `${here}: ${text}`)
    if (operation === 'push') assert.is(last, failed || expected.others ? 0 : 1, here)
    if (operation !== 'push') assert.is(last, text, `${here}\n  readers saw the last of it`)
    server.scripts.delete(name)
  }

  if (only !== undefined) return run(only).finally(clock.stop)
  const combinations = steps.length * operations.length * 2
  const goal = jumps ? 0 : 10_000 * multiplier
  const started = performance.now()
  let next = 0
  const wrong: string[] = []
  const work = async (): Promise<void> => {
    while (next < combinations || server.counts.faults < goal) await run(next++).catch((error: Error) => void wrong.push(error.message))
  }
  await Promise.all(Array.from({ length: 150 }, work))
  for (const { controller } of clients) controller.dispose()
  clock.stop()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const { requests, faults } = server.counts
  console.log(`\n  ${next} calls (${combinations} combinations), ${requests} requests, ${faults} of them faulted, seed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  assert.is(wrong.length, 0, `${wrong.length} of them went wrong:\n${wrong.slice(0, 20).join('\n')}`)
  assert.equal(unhandled, [])
  assert.equal(reported, [])
}

test.run()
