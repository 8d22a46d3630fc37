import { effect } from '@preact/signals-core'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { historyOf } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, exportState, type AnyEndpoint, type FetchAction } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { broken } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'

const test = suite('INV-46: two controllers in one process share nothing')

class Owner extends Entity {
  id = ''
  name = ''
  static override key = 'Owner'
}
class Todo extends Entity {
  id = ''
  title = ''
  tags: string[] = []
  at = new Date(0)
  owner: Owner | undefined = undefined
  static override key = 'Todo'
  static override indexes = ['title']
  static override schema = { at: Date, owner: Owner }
}
const { get, getList, partialUpdate, delete: remove } = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

const ids = ['1', '2', '__proto__'] as const

/** One user: a controller that is worked from a tape, and all that can be seen of it. */
class User {
  readonly seen: unknown[] = []
  readonly #name: string
  readonly #tape: Tape
  readonly #clock: HandClock = createClock(1e12)
  readonly #asked: FetchAction[] = []
  readonly #controller: Controller
  readonly #stops: (() => void)[] = []
  #turn = 0

  constructor(name: string, bytes: readonly number[]) {
    this.#name = name
    this.#tape = new Tape(bytes)
    this.#controller = new Controller({
      clock: this.#clock,
      managers: [{ action: action => action.type === 'fetch' && this.#asked.push(action) > 0 }],
      onError: error => void this.seen.push(String(error)),
    })
    historyOf(this.#controller)
    this.#controller.subscribePatches(({ cause, patches }) => void this.seen.push([cause, patches]))
    this.#stops.push(effect(() => void this.seen.push(this.#controller.get(Todo, { id: '1' })?.title)))
    this.#stops.push(effect(() => void this.seen.push(this.#controller.getResponse(getList).data?.map(todo => `${todo.title} ${todo.owner?.name} ${+todo.at}`))))
    const live = this.#controller.live(getList as AnyEndpoint) as readonly Todo[] | undefined
    this.#stops.push(effect(() => void this.seen.push(live?.length)))
  }

  step(): void {
    const controller = this.#controller
    const id = ids[this.#tape.int(ids.length)]!
    const text = `${this.#name}${this.#turn++}`
    const record = { id, title: text, at: new Date(this.#turn).toJSON(), owner: { id: 'o', name: text } }
    const quietly = (promise: Promise<unknown>): void => void promise.then(value => this.seen.push(JSON.stringify(value)), (error: unknown) => this.seen.push(String(error)))
    switch (this.#tape.int(14)) {
      case 0: return quietly(controller.fetch(get, { id }))
      case 1: return quietly(controller.fetch(getList))
      case 2: return quietly(controller.fetch(partialUpdate, { id }, { title: text }))
      case 3: return quietly(controller.fetch(getList.push, { title: text }))
      case 4: return quietly(controller.fetch(remove, { id }))
      case 5: return this.#asked.shift()?.fail(new Error(text))
      case 6: return controller.set(Todo, record)
      case 7: return controller.setResponse(getList, [record, { id: '2', title: text }])
      case 8: return controller.invalidate(get, { id })
      case 9: return controller.reset()
      case 10: return void historyOf(controller).undo()
      case 11: return this.#clock.advance(this.#tape.int(4) * 200_000)
      default: return this.#answer(record)
    }
  }

  #answer(record: { readonly id: string; readonly title: string }): void {
    const action = this.#asked.splice(this.#tape.int(this.#asked.length || 1), 1)[0]
    if (action === undefined) return
    const { method } = action.endpoint as unknown as { method: string }
    const [params] = action.args as readonly [{ id?: string } | undefined]
    action.answer(method === 'GET' && params?.id === undefined ? [record] : { ...record, id: params?.id ?? record.id })
  }

  /** Everything, as text. Temporary pks have a word of chance in them, so that no two stores give the same. */
  end(): string {
    const state = JSON.stringify(exportState(this.#controller.snapshot()))
    const titles = ids.map(id => this.#controller.get(Todo, { id })?.title)
    const found = this.#controller.get(Todo, { title: titles[0] ?? 'none' })?.id
    for (const stop of this.#stops) stop()
    this.#controller.dispose()
    return JSON.stringify([this.seen, titles, found ?? null, state]).replaceAll(/new:\w+\./g, 'new:')
  }
}

const STEPS = 9
const alone = (name: string, bytes: readonly number[]): string => {
  const user = new User(name, bytes)
  for (let i = 0; i < STEPS; i++) user.step()
  return user.end()
}
const met = { changed: 0, runs: 0 }

asyncLaw(
  test,
  'INV-46 two histories in turns leave what each leaves alone, and none has a word of the other',
  2000,
  fc.tuple(tapes(60), tapes(60), fc.array(fc.boolean(), { minLength: 2 * STEPS, maxLength: 2 * STEPS })),
  async ([a, b, turns]) => {
    const users = [new User('ann ', a), new User('bob ', b)]
    const left = [STEPS, STEPS]
    for (const second of turns) {
      const wanted = Number(second)
      const at = left[wanted]! > 0 ? wanted : 1 - wanted
      left[at]!--
      users[at]!.step()
    }
    const found = users.map(user => user.end())
    // One of the two is enough: which one is left to chance.
    const [which, expected] = turns[0] ? [0, alone('ann ', a)] : [1, alone('bob ', b)]
    if (found[which] !== expected) broken('A history came out otherwise beside another one.', found[which], expected)
    found.forEach((text, i) => {
      if (text.includes(['bob ', 'ann '][i]!)) broken('One user sees what the other wrote.', text)
      if (text.length > 400) met.changed++
    })
    // What is referred to weakly lives to the end of the turn, and with it a store: forty thousand of them would not fit.
    if (++met.runs % 100 === 0) await new Promise(resolve => setTimeout(resolve))
  },
  () => `${met.changed} histories that wrote something`,
)

test('a default that is shown by live objects of two stores can be written to by neither', () => {
  const [mine, yours] = [new Controller(), new Controller()]
  for (const controller of [mine, yours]) controller.set(Todo, { id: '1' })
  const live = mine.live(Todo, { id: '1' }) as Todo
  assert.throws(() => live.tags.push('leak'))
  assert.equal((yours.live(Todo, { id: '1' }) as Todo).tags, [])
  assert.equal([mine.get(Todo, { id: '1' })!.tags, yours.get(Todo, { id: '1' })!.tags], [[], []])
})

test.run()
