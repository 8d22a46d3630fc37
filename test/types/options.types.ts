import { createResource, Endpoint, RestEndpoint, schema } from '../../src/index.ts'
import type { ViewOf } from '../../src/index.ts'
import { a, type Equal, type Expect } from './expect.ts'
import { Todo, Todos } from './todos.ts'

class Api<const O> extends RestEndpoint<O> {
  tenant = ''
}

/** The compiler refuses options that neither the library nor the given class declares. */
export function misspelled(): void {
  // @ts-expect-error There is no option "optimistc".
  createResource({ path: '/todos/:id', schema: Todo, optimistc: true })
  // @ts-expect-error There is no option "pollFrequnecy".
  createResource({ path: '/todos/:id', schema: Todo, pollFrequnecy: 5 })
  createResource({ path: '/todos/:id', schema: Todo, optimistic: true, pollFrequency: 5, requestInit: { credentials: 'include' }, adopt: true })
  createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api, tenant: 'a' })
  // @ts-expect-error Property 'id' is missing, also with a generic class
  void createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api }).get({})
  // @ts-expect-error There is no option "tennant".
  createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api, tennant: 'a' })
  // @ts-expect-error There is no option "tenant" without the class that declares it.
  createResource({ path: '/todos/:id', schema: Todo, tenant: 'a' })

  // @ts-expect-error There is no option "shcema".
  void new RestEndpoint({ path: '/todos', shcema: [Todo] })
  void new RestEndpoint({ path: '/todos', schema: [Todo], getRequestInit: () => ({ credentials: 'include' }) })
  // @ts-expect-error There is no such mode.
  void new RestEndpoint({ path: '/todos', requestInit: { credentials: 'always' } })

  // @ts-expect-error There is no option "shcema".
  Todos.get.extend({ shcema: Todo })
  Todos.get.extend({ schema: Todo, process: (value: unknown) => value })
  new Api({ path: '/x' }).extend({ schema: Todo })
  // @ts-expect-error There is no option "dataExpiry".
  new Endpoint(async () => 1).extend({ dataExpiry: 5 })
  new Endpoint(async () => 1).extend({ dataExpiryLength: 5, adopt: true })

  // @ts-expect-error There is no option "pth".
  Todos.extend('current', { pth: '/current' })
  // @ts-expect-error There is no option "pth".
  Todos.extend({ get: { pth: '/current' } })
  void Todos.extend({ get: { path: '/current' } }).get()
}

/** A partial update takes a part of the declared body; an update takes all of it. */
export function parts(): void {
  const typed = createResource({ path: '/todos/:id', schema: Todo, body: {} as { title: string; done: boolean } })
  void typed.partialUpdate({ id: 1 }, { done: true })
  // @ts-expect-error Property 'title' is missing
  void typed.update({ id: 1 }, { done: true })
  // @ts-expect-error 'doen' does not exist
  void typed.partialUpdate({ id: 1 }, { doen: true })
  // @ts-expect-error done is a boolean
  void typed.partialUpdate({ id: 1 }, { done: 'yes' })
  const form = createResource({ path: '/todos/:id', schema: Todo, body: {} as FormData | { title: string } })
  void form.partialUpdate({ id: 1 }, new FormData())
  void form.partialUpdate({ id: 1 }, {})
  const none = createResource({ path: '/todos/:id', schema: Todo, body: undefined })
  void none.partialUpdate({ id: 1 })
}

/** Bound arguments are no longer asked for. */
export function bound(): void {
  const get = Todos.get.bind(undefined, { id: 1 })
  void get()
  a<Expect<Equal<ViewOf<typeof get>, Todo>>>()
  // @ts-expect-error Expected 0 arguments
  void get({ id: 1 })
  const update = Todos.update.bind(undefined, { id: 1 })
  void update({ title: 'x' })
  // @ts-expect-error 'titel' does not exist
  void update({ titel: 'x' })
  // @ts-expect-error a parameter is no object
  Todos.get.bind(undefined, { id: {} })
  const add = new Endpoint(async (x: number, y: string) => x + y, { name: 'add' }).bind(undefined, 1)
  void add('x')
  // @ts-expect-error the second argument is a string
  void add(2)
}

/** A query over a collection has the creations of that collection. */
export function queries(): void {
  const open = Todos.getList.extend({ schema: new schema.Query(Todos.getList.schema, (list: Todo[]) => list.length) })
  a<Expect<Equal<ViewOf<typeof open>, number>>>()
  a<Expect<Equal<ViewOf<typeof open.push>, Todo>>>()
  void open.push({ title: 'x' })
}
