import { Collection, Endpoint, Entity, Invalidate } from '../../../src/index.ts'
import type { AnyEndpoint, Snap } from '../../../src/index.ts'
import type { Fields } from './model.ts'

/** Keeps every write about it: any other order, and any repetition, shows. */
export class Owner extends Entity {
  id = ''
  log: readonly string[] = []
  static override key = 'Owner'
  static override merge(existing: Fields, incoming: Fields): Fields {
    return { ...existing, ...incoming, log: [...(existing['log'] as string[]), ...(incoming['log'] as string[])] }
  }
}

export class Todo extends Entity {
  id = ''
  title = ''
  n = 0
  done = false
  group = ''
  tags: readonly string[] = []
  owner?: Owner
  static override key = 'Todo'
  static override indexes = ['title']
  static override schema = { owner: Owner }
}

export const todos: Collection<[typeof Todo]> = new Collection([Todo])

type Params = { readonly id: string }
const never = (): Promise<never> => new Promise(() => {})
const make = (name: string, options: object): AnyEndpoint => new Endpoint(never, { name, ...options }) as unknown as AnyEndpoint
const read = (name: string, options: object): AnyEndpoint => make(name, { key: ({ id, group }: { id?: string; group?: string } = {}) => `${name} ${id ?? group ?? ''}`.trim(), ...options })
/** Calls to one row are sent at once, so that they can be answered in any order. */
const call = (name: string, options: object): AnyEndpoint => make(name, { sideEffect: true, serial: false, ...options })

/** The endpoint with other options. */
export const extend = (endpoint: AnyEndpoint, options: object): AnyEndpoint =>
  (endpoint as unknown as { extend(options: object): AnyEndpoint }).extend(options)

/** The answer of `MORE` counts in the result of `PAGE`. */
const counted = (page: { count: number } | undefined): object | undefined => page && { ...page, count: page.count * 2 + 1 }

export const reads = {
  get: read('GET', { schema: Todo }),
  list: read('LIST', { schema: todos, key: ({ group = '' }: { group?: string }) => `LIST ${group}` }),
  page: read('PAGE', { schema: { items: [Todo], count: 0 } }),
  more: read('MORE', { schema: todos.push, key: ({ group = '' }: { group?: string }) => `MORE ${group}`, update: () => ({ PAGE: counted }) }),
}

export const calls = {
  put: call('PUT', { schema: Todo, getOptimisticResponse: (_: Snap, params: Params, body: object) => ({ ...body, ...params }) }),
  like: call('LIKE', {
    schema: Todo,
    getOptimisticResponse(snap: Snap, { id }: Params) {
      const todo = snap.get(Todo, { id })
      if (todo === undefined) throw snap.abort
      const n = todo.n * 2 + 1
      if (n % 5 === 0) throw new Error('unlucky')
      return { id, n }
    },
  }),
  remove: call('DELETE', { schema: new Invalidate(Todo), getOptimisticResponse: (_: Snap, params: Params) => params }),
  push: call('PUSH', { schema: todos.push, getOptimisticResponse: (_: Snap, _params: object, body: object) => body }),
  unshift: call('UNSHIFT', { schema: todos.unshift, getOptimisticResponse: (_: Snap, _params: object, body: object) => body }),
  move: call('MOVE', { schema: todos.move, getOptimisticResponse: (_: Snap, params: Params, body: object) => ({ ...body, ...params }) }),
}

/** The same call, expecting nothing. */
export const quiet: { readonly [name: string]: AnyEndpoint } = Object.fromEntries(
  Object.entries(calls).map(([name, endpoint]) => [name, extend(endpoint, { getOptimisticResponse: undefined })]),
)
