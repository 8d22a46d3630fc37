import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, type Clock } from '../../../src/index.ts'
import { trackChanges, type Change, type ChangeTracker } from '../../../src/changes/index.ts'
import { broken, law } from '../../support/settings.ts'
import { Todo, TodoResource } from '../persist/todos.ts'

const test = suite('changes of several controllers')

interface Peer {
  readonly controller: Controller
  readonly tracker: ChangeTracker
  readonly name: string
  readonly seen: Map<string, number>
  n: number
  /** Messages on their way here, by sender. */
  readonly inbox: Map<string, { readonly change: Change; readonly n: number }[]>
}

type Step =
  | { readonly type: 'set' | 'title' | 'done' | 'remove' | 'push' | 'read'; readonly at: number; readonly id: number; readonly value: number }
  | { readonly type: 'send'; readonly at: number }
  | { readonly type: 'deliver'; readonly at: number; readonly from: number }
  | { readonly type: 'wait' }

const PEERS = 3
const peer = fc.nat({ max: PEERS - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('set' as const, 'title' as const, 'done' as const, 'remove' as const, 'push' as const, 'read' as const), at: peer, id: fc.integer({ min: 1, max: 3 }), value: fc.nat({ max: 5 }) }),
  fc.record({ type: fc.constant('send' as const), at: peer }),
  fc.record({ type: fc.constant('deliver' as const), at: peer, from: peer }),
  fc.record({ type: fc.constant('wait' as const) }),
)

function world(): { readonly peers: readonly Peer[]; readonly run: (step: Step) => void; readonly settle: () => void } {
  let time = 1_000_000
  const clock: Clock = { now: () => time, date: () => time, after: () => () => {} }
  const peers = Array.from({ length: PEERS }, (_, i): Peer => {
    const controller = new Controller({ clock, gc: false })
    return { controller, tracker: trackChanges(controller, { origin: 'peer' }), name: `p${i}`, seen: new Map(), n: 0, inbox: new Map() }
  })
  const send = (from: Peer): void => {
    const change = from.tracker.take()
    if (!change) return
    from.n++
    for (const to of peers) if (to !== from) to.inbox.set(from.name, [...(to.inbox.get(from.name) ?? []), { change: structuredClone(change), n: from.n }])
  }
  const deliver = (to: Peer, from: Peer): boolean => {
    const [message, ...rest] = to.inbox.get(from.name) ?? []
    if (!message) return false
    to.inbox.set(from.name, rest)
    if (message.n <= (to.seen.get(from.name) ?? 0)) return true
    send(to)
    const isComplete = to.tracker.apply(message.change)
    to.seen.set(from.name, message.n)
    if (!isComplete) {
      send(from)
      to.tracker.apply(structuredClone(from.tracker.all()))
      to.seen.set(from.name, from.n)
    }
    return true
  }
  return {
    peers,
    run(step) {
      if (step.type === 'wait') return void time++
      const { controller } = peers[step.at]!
      if (step.type === 'send') return send(peers[step.at]!)
      if (step.type === 'deliver') return void deliver(peers[step.at]!, peers[step.from]!)
      const { id, value } = step
      const has = controller.get(Todo, { id }) !== undefined
      if (step.type === 'set') controller.set(Todo, { id, title: `t${value}`, done: false })
      else if (step.type === 'title' && has) controller.set(Todo, { id }, (todo: { title: string }) => void (todo.title = `u${value}`))
      else if (step.type === 'done' && has) controller.set(Todo, { id }, (todo: { done: boolean }) => void (todo.done = value > 2))
      else if (step.type === 'remove') controller.setResponse(TodoResource.delete, { id }, { id })
      else if (step.type === 'push') controller.setResponse(TodoResource.getList.push, { title: '' }, { id: id * 10 + value, title: 'pushed', done: false })
      else if (step.type === 'read') controller.setResponse(TodoResource.getList, [{ id, title: `r${value}`, done: true }, { id: 2, title: `r${value}`, done: false }])
    },
    settle() {
      for (let isBusy = true; isBusy; ) {
        for (const from of peers) send(from)
        isBusy = peers.some(to => peers.some(from => deliver(to, from)))
      }
    },
  }
}

/** The confirmed document, without the order of arrival and, in lists, without the order of members. */
function documentOf({ tracker }: Peer): string {
  const { patches } = tracker.all()
  return patches.map(({ path, value }) => `${path.join(' ')} ${JSON.stringify(Array.isArray(value) ? [...(value as unknown[])].sort() : value)}`).sort().join('\n')
}

test('a list that changed before and after another change came in brings both changes', () => {
  const [a, b] = world().peers
  const push = ({ controller }: Peer, id: number): void => controller.setResponse(TodoResource.getList.push, { title: '' }, { id, title: 'pushed', done: false })
  a!.controller.setResponse(TodoResource.getList, [{ id: 1, title: 'sow', done: false }])
  b!.tracker.apply(structuredClone(a!.tracker.take()))
  push(a!, 2)
  push(b!, 3)
  a!.tracker.apply(structuredClone(b!.tracker.take()))
  push(a!, 4)
  b!.tracker.apply(structuredClone(a!.tracker.take()))
  const ids = [a!, b!].map(({ controller }) => controller.get(TodoResource.getList.schema)?.map(({ id }) => id).sort())
  assert.equal(ids, [[1, 2, 3, 4], [1, 2, 3, 4]])
})

test('a whole state of which everything is here already changes nothing, and does not overtake a read', async () => {
  const [a, b] = world().peers
  a!.controller.setResponse(TodoResource.getList, Array.from({ length: 10_001 }, (_, id) => ({ id: id + 1, title: 'sow', done: false })))
  const everything = a!.tracker.all()
  b!.tracker.apply(structuredClone(everything))
  const before = b!.controller.snapshot()
  let answer!: (todo: object) => void
  const read = b!.controller.fetch(TodoResource.get.extend({ fetch: () => new Promise<object>(resolve => (answer = resolve)) }), { id: 1 })
  await Promise.resolve()
  b!.tracker.apply(structuredClone(everything))
  assert.is(b!.controller.snapshot(), before)
  answer({ id: 1, title: 'mow', done: false })
  await read
  assert.is(b!.controller.get(Todo, { id: 1 })?.title, 'mow')
})

test('a read that started after a row was written elsewhere wins over it, whatever else came with that row', async () => {
  const { peers: [a, b], run } = world()
  a!.controller.setResponse(TodoResource.get, { id: 1 }, { id: 1, title: 'sow', done: false })
  run({ type: 'wait' })
  let answer!: (todo: object) => void
  const read = b!.controller.fetch(TodoResource.get.extend({ fetch: () => new Promise<object>(resolve => (answer = resolve)) }), { id: 1 })
  await Promise.resolve()
  run({ type: 'wait' })
  a!.controller.setResponse(TodoResource.get, { id: 2 }, { id: 2, title: 'mow', done: false })
  b!.tracker.apply(structuredClone(a!.tracker.take()))
  answer({ id: 1, title: 'reap', done: false })
  await read
  assert.is(b!.controller.get(Todo, { id: 1 })?.title, 'reap')
})

test('rows that patches wrote, without a stamp, travel', () => {
  const [a, b] = world().peers
  for (const [op, title] of [['add', 'sow'], ['replace', 'mow']] as const) {
    a!.controller.applyPatches([{ op, path: ['entities', 'Todo', '1'], value: { id: 1, title } }])
    b!.tracker.apply(structuredClone(a!.tracker.take()))
    assert.is(b!.controller.get(Todo, { id: 1 })?.title, title)
  }
})

let conflicts = 0
law(test, 'CONVERGE: controllers that exchange their changes end with the same rows', 2000, fc.array(step, { maxLength: 40 }), steps => {
  const { peers, run, settle } = world()
  for (const each of steps) run(each)
  if (new Set(peers.map(documentOf)).size > 1) conflicts++
  settle()
  const documents = peers.map(documentOf)
  if (new Set(documents).size > 1) broken('The peers differ.', ...documents)
}, () => `${conflicts} histories in which they differed before the last messages`)

test.run()
