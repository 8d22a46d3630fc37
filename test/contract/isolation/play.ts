import { effect } from '@preact/signals-core'
import type * as Library from './library.ts'
import { createClock } from '../../../src/testing/index.ts'
import { Tape } from '../../support/tape.ts'

/** One build of the library. */
export type Build = typeof Library

/** A controller that is worked from a tape, step by step. */
export interface Player {
  step(): void
  /** All that can be seen of it, as text. What it says of an error is its class and code: only the text may differ. */
  end(): string
}

/** Plays a history to its end. */
export type Play = (bytes: readonly number[]) => Promise<string>

const STEPS = 14
const ids = ['1', '2', '__proto__', 'toString'] as const
/** Payloads that are not what they should be, or are more. */
const odd: readonly unknown[] = [null, true, 'text', 7, [], [1, 2], {}, { id: null }, { id: Number.NaN }, { id: '' }, { id: {} }, { title: 'no id' }, { id: '3', tags: {} }, { id: '1', at: 'garbage' }, JSON.parse('{"id":"1","__proto__":{"evil":1}}')]

/** Makes players of a build; whatever one of them writes begins with its name. */
export function playersOf(build: Build): (name: string, bytes: readonly number[]) => Player {
  const { Controller, createHistory, createResource, Entity, schema } = build
  class Owner extends Entity {
    id = ''
    name = ''
    static override key = 'Owner'
    static override indexes = ['name']
  }
  class Todo extends Entity {
    id = ''
    title = 'none'
    tags: string[] = []
    at = new Date(0)
    owner: Owner | undefined = undefined
    static override key = 'Todo'
    static override indexes = ['title']
    static override schema = { at: Date, owner: Owner }
    static override validate(record: { readonly title?: unknown }): string | undefined {
      return record.title === 'wrong' ? 'wrong' : undefined
    }
  }
  const { get, getList, partialUpdate, delete: remove } = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
  const titles = new schema.Query(getList.schema, (todos: readonly Todo[]) => todos.map(({ title }) => title))

  return (name, bytes) => {
    const recipes: readonly ((draft: Todo) => unknown)[] = [
      draft => void (draft.title = `${name}changed`),
      draft => void draft.tags.push(`${name}more`),
      draft => void draft.tags.splice(0, 1),
      () => ({ id: '1', title: `${name}returned` }),
      draft => (draft.tags.push(`${name}both`), { id: '1', title: 'both' }),
      () => { throw new RangeError('an updater failed') },
      draft => void ((draft as { id: string }).id = 'another'),
      draft => void Object.assign(draft, { deep: { er: [{}] } }),
      draft => void Reflect.deleteProperty(draft, 'title'),
    ]
    const patches: readonly Library.Patch[] = [
      { op: 'add', path: ['entities', 'Todo', '1', 'tags', 0], value: `${name}patched` },
      { op: 'replace', path: ['entities', 'Todo', '1', 'deep', 'er', 0], value: { x: [1] } },
      { op: 'remove', path: ['entities', 'Todo', '2'] },
      { op: 'replace', path: ['entities', 'Todo', '__proto__', 'title'], value: `${name}patched` },
      { op: 'add', path: ['entities', 'Todo', '1', '__proto__'], value: 1 },
      { op: 'add', path: ['entities', 'Todo', '1', 'tags', 4e9], value: 1 },
    ]
    const tape = new Tape(bytes)
    const clock = createClock(1e12)
    const seen: unknown[] = []
    const asked: Library.FetchAction[] = []
    let turn = 0
    const saying = (error: unknown): string => `${(error as Error).name} ${String((error as { code?: unknown }).code)}`
    const controller = new Controller({
      clock,
      managers: [{ action: action => action.type === 'fetch' && asked.push(action) > 0 }],
      onError: error => void seen.push(['reported', saying(error)]),
    })
    const history = createHistory(controller)
    controller.subscribePatches(({ cause, patches, inversePatches }) => void seen.push([cause, patches, inversePatches]))
    const live = controller.live(getList as Library.AnyEndpoint) as readonly Todo[] | undefined
    const stops = [
      effect(() => void seen.push(['one', controller.get(Todo, { id: '1' })?.title])),
      effect(() => void seen.push(['list', controller.getResponse(getList).data?.map(todo => `${todo.title} ${todo.owner?.name} ${+todo.at}`)])),
      effect(() => void seen.push(['live', JSON.stringify(controller.live(Todo, { id: '2' })), live?.length])),
    ]
    const calmly = (work: () => unknown): void => {
      try {
        const given = work()
        if (given instanceof Promise) given.then(value => seen.push(JSON.stringify(value)), (error: unknown) => seen.push(saying(error)))
      } catch (error) {
        seen.push(['thrown', saying(error)])
      }
    }
    return {
      step() {
        const id = tape.pick(ids)
        const title = tape.pick([`${name}a`, `${name}b`, 'wrong', `${name}turn ${++turn}`])
        const record = { id, title, at: new Date(turn).toJSON(), tags: [`${name}x`], owner: { id: tape.pick(ids), name: title } }
        const payload = tape.chance(25) ? tape.pick(odd) : record
        const answer = (): unknown => {
          const action = asked.splice(tape.int(asked.length || 1), 1)[0]
          return tape.chance(15) ? action?.fail(new TypeError('the network')) : action?.answer(tape.chance(50) ? payload : [payload, record])
        }
        const verbs: readonly (() => unknown)[] = [
          () => controller.fetch(get, { id }),
          () => controller.fetch(getList),
          () => controller.fetch(partialUpdate, { id }, { title }),
          () => controller.fetch(getList.push, { title }),
          () => controller.fetch(remove, { id }),
          () => controller.set(Todo, payload as never),
          () => controller.set(Todo, { id }, tape.pick(recipes) as never),
          () => controller.setResponse(getList, [payload, record] as never),
          () => controller.applyPatches([tape.pick(patches)]),
          () => controller.invalidate(get, { id }),
          () => history.undo(),
          () => controller.reset(),
          () => clock.advance(tape.int(4) * 200_000),
          () => seen.push(controller.get(titles), controller.get(Owner, { name: title })?.id, controller.get(Todo, { title })?.id),
          () => seen.push(controller.getError(getList) && saying(controller.getError(getList))),
          () => seen.push(build.hydrate(new Controller({ clock }), JSON.stringify(build.dehydrate(controller)))),
          answer,
          answer,
          answer,
          answer,
        ]
        calmly(tape.pick(verbs))
      },
      end() {
        seen.push(build.exportState(controller.snapshot()))
        for (const stop of stops) stop()
        controller.dispose()
        // Temporary pks have a word of chance in them, so that no two stores give the same.
        return JSON.stringify(seen).replaceAll(/new:\w+\./g, 'new:')
      },
    }
  }
}

/** Plays whole histories on a build. */
export function playOn(build: Build): Play {
  const playerOf = playersOf(build)
  return async bytes => {
    const player = playerOf('', bytes)
    for (let turn = 0; turn < STEPS; turn++) {
      player.step()
      await undefined
    }
    // Whoever waits for a promise is reported its end before the turn is over.
    await new Promise(resolve => setImmediate(resolve))
    return player.end()
  }
}
