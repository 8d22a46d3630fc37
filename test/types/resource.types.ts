import { createResource, RestEndpoint, schema } from '../../src/index.ts'
import type { Controller, Payload, resource, ViewOf } from '../../src/index.ts'
import { a, type Equal, type Expect } from './expect.ts'
import { Todo, Todos, User } from './todos.ts'

const Nested = createResource({ urlPrefix: 'https://api.example.com', path: '/users/:user/todos/:id', schema: Todo, optimistic: true, pollFrequency: 60_000 })
const Typed = createResource({
  path: '/todos/:id',
  schema: Todo,
  body: {} as { title: string; secret?: string },
  searchParams: {} as { user: number; page?: number } | undefined,
  paginationField: 'page',
})

export type Views = [
  Expect<Equal<ViewOf<typeof Todos.get>, Todo>>,
  Expect<Equal<ViewOf<typeof Todos.getList>, Todo[]>>,
  Expect<Equal<ViewOf<typeof Todos.getList.push>, Todo>>,
  Expect<Equal<ViewOf<typeof Todos.update>, Todo>>,
  Expect<Equal<ViewOf<typeof Todos.partialUpdate>, Todo>>,
  Expect<Equal<ViewOf<typeof Todos.delete>, Todo>>,
  Expect<Equal<Awaited<ReturnType<typeof Todos.delete>>, Payload<typeof Todo> | { id: string | number }>>,
  Expect<Equal<ReturnType<typeof User.fromJS<typeof User>>, User>>,
  Expect<Equal<(typeof Todos)['get']['sideEffect'], false>>,
  Expect<Equal<(typeof Todos)['delete']['sideEffect'], true>>,
]

export function members(): void {
  void Todos.get({ id: 1 })
  void Todos.getList()
  void Todos.getList({ anything: 'goes', into: ['the', 'query'] })
  void Todos.getList.push({ title: 'x' })
  void Todos.getList.push({ list: 1 }, { title: 'x' })
  void Todos.getList.push([{ title: 'x' }, { title: 'y' }])
  void Todos.getList.push(new FormData())
  void Todos.update({ id: 1 }, { title: 'x', user: 5, due: '2020-01-01' })
  void Todos.partialUpdate({ id: 1 }, { done: true })
  void Todos.delete({ id: 1 })
  // @ts-expect-error Property 'id' is missing
  void Todos.get({})
  // @ts-expect-error 'doen' does not exist
  void Todos.partialUpdate({ id: 1 }, { doen: true })
  // @ts-expect-error done is a boolean
  void Todos.partialUpdate({ id: 1 }, { done: 'yes' })
  // @ts-expect-error the body is missing
  void Todos.update({ id: 1 })
  // @ts-expect-error 'titel' does not exist
  void Todos.getList.push({ titel: 'x' })
  // @ts-expect-error DELETE has no body
  void Todos.delete({ id: 1 }, {})
  // @ts-expect-error there is no such member
  void Todos.remove

  void Nested.getList({ user: 1 })
  void Nested.getList({ user: 1, page: 2 })
  void Nested.getList.push({ user: 1 }, { title: 'x' })
  // @ts-expect-error Property 'user' is missing
  void Nested.getList()
  // @ts-expect-error Property 'user' is missing
  void Nested.getList({ usr: 1 })
  // @ts-expect-error Property 'id' is missing
  void Nested.get({ user: 1 })
  void Nested.getList.move({ user: 1, id: 2 }, { done: true })
  void Nested.getList.remove({ user: 1, id: 2 }, { done: true })
  // @ts-expect-error Property 'id' is missing: a move is sent to the member
  void Nested.getList.move({ user: 1 }, { done: true })

  void Typed.getList()
  void Typed.getList.move({ id: 1 }, { secret: 'x' })
  // @ts-expect-error title is a string
  void Typed.getList.remove({ id: 1 }, { title: 1 })
  void Typed.getList({ user: 1 })
  void Typed.getList.getPage({ user: 1, page: 2 })
  void Typed.getList.push({ title: 'x', secret: 'y' })
  // @ts-expect-error user is a number
  void Typed.getList({ user: 'x' })
  // @ts-expect-error Property 'page' is missing
  void Typed.getList.getPage({ user: 1 })
  // @ts-expect-error Property 'title' is missing
  void Typed.update({ id: 1 }, { secret: 'y' })
  // @ts-expect-error path is missing
  createResource({ schema: Todo })
  // @ts-expect-error schema is missing
  createResource({ path: '/todos/:id' })
  a<Expect<Equal<typeof resource, typeof createResource>>>()
}

interface Filters {
  done?: boolean
}
interface NewTodo {
  title: string
}

/** Interfaces have no index signature, and are what most people declare. */
export function interfaces(filters: Filters, todo: NewTodo): void {
  void Todos.getList(filters)
  void Todos.getList.push(todo)
  void Todos.getList.push(filters, todo)
  void Nested.getList({ user: 1, ...filters })
  const post = new RestEndpoint({ path: '/todos', method: 'POST' })
  void post(todo)
  void post(new Todo())
  // @ts-expect-error a number is no body
  void post(5)
  // @ts-expect-error nor is it a query
  void Todos.getList(5)
}

/** One of several types is deleted like one of one. */
const Either = createResource({ path: '/either/:id', schema: new schema.Union({ user: User, todo: Todo }, 'type') })
export type Deleted = [Expect<Equal<ViewOf<typeof Either.delete>, User | Todo>>, Expect<Equal<ViewOf<typeof Either.getList>, (User | Todo)[]>>]

/** An answer without content does not tell the type, so the arguments do. */
export const deleted = (): unknown => Either.delete({ id: 1, type: 'todo' })

/** Declared as anything, which is not the same as nothing. */
export function anything(): void {
  // oxlint-disable-next-line typescript/no-explicit-any -- what users write
  const any = createResource({ path: '/users/:user/todos/:id', schema: Todo, body: {} as any, searchParams: {} as any })
  void any.getList({ user: 1 })
  void any.getList({ user: 1, page: 2 })
  void any.getList.push({ user: 1 }, { anything: 1 })
  void any.getList.push({ user: 1, page: 2 }, 'text')
  void any.update({ user: 1, id: 2 }, { anything: 1 })
  // @ts-expect-error Property 'user' is missing
  void any.getList({ page: 2 })
  // @ts-expect-error Property 'id' is missing
  void any.partialUpdate({ user: 1 }, {})
}

/** The key and the filter of a collection may use the arguments as they are. */
export function collections(): void {
  const todos = new schema.Collection([Todo], {
    argsKey: ({ list }: { list: string }) => ({ list }),
    createCollectionFilter: ({ list }: { list: string }, body?: NewTodo) => ({ list: of }) => of === list && body !== undefined,
  })
  todos.addWith((all: string[], made: string[]) => [...made, ...all], ({ list }: { list: string }) => ({ list: of }) => of === list)
  // @ts-expect-error a filter says yes or no
  todos.addWith((all: string[]) => all, () => () => 'maybe')
}

export function extend(): void {
  const batch = Todos.extend({ get: { path: '/v2/todos/:slug' }, getList: { schema: { results: new schema.Collection([Todo]), total: 0 } } })
  void batch.get({ slug: 'x' })
  // @ts-expect-error the path has changed
  void batch.get({ id: 1 })
  a<Expect<Equal<ViewOf<typeof batch.getList>, { results: Todo[]; total: number }>>>()
  a<Expect<Equal<ViewOf<typeof batch.getList.push>, Todo>>>()
  void batch.update({ id: 1 }, { done: true })
  // @ts-expect-error There is no member "current" to change; add it with extend(name, options)
  Todos.extend({ get: {}, current: { path: '/current' } })

  // What functions return is read as what is asked for.
  const credentials = (['include', 'omit'] as const)[0]
  void Todos.extend({ getList: { getRequestInit: () => ({ credentials: 'include' }) }, get: { getRequestInit: () => ({ credentials }), errorPolicy: () => 'soft' } }).get({ id: 1 })
  // @ts-expect-error there is no such mode
  Todos.extend({ getList: { getRequestInit: () => ({ credentials: 'always' }) } })

  const added = Todos.extend('current', { path: '/current' }).extend('complete', { path: '/todos/:id/complete', method: 'POST', body: undefined })
  void added.current()
  void added.complete({ id: 1 })
  a<Expect<Equal<ViewOf<typeof added.current>, Todo>>>()
  // @ts-expect-error body is undefined
  void added.complete({ id: 1 }, {})
  const changed = Todos.extend('update', { body: {} as { title: string } })
  // @ts-expect-error Property 'title' is missing
  void changed.update({ id: 1 }, {})

  const made = Todos.extend(Base => ({
    search: Base.getList.extend({ path: '/todos/search', searchParams: {} as { q: string } }),
    trade: Base.getList.push.extend({ schema: { todo: Base.getList.push.schema, user: User } }),
  }))
  void made.search({ q: 'x' })
  a<Expect<Equal<ViewOf<typeof made.trade>, { todo: Todo; user: User }>>>()
  void made.get({ id: 1 })
  const chained = made.extend('more', { path: '/more/:a' }).extend({ search: { path: '/find' } })
  void chained.more({ a: 1 })
  void chained.search({ q: 'x' })
}

/** What has no list cannot be added to. */
export async function lists(controller: Controller): Promise<void> {
  const plain = new RestEndpoint({ path: '/todos', schema: [Todo] })
  // @ts-expect-error There is no schema.Collection in the schema of this endpoint.
  void Todos.get.push({ id: 1 }, { title: 'x' })
  // @ts-expect-error There is no schema.Collection in the schema of this endpoint.
  void controller.fetch(plain.push, { title: 'x' })
  // @ts-expect-error There is no schema.Collection in the schema of this endpoint.
  void controller.fetch(new RestEndpoint({ path: '/todos', schema: { results: [Todo] } }).move, { title: 'x' })
  const object = new RestEndpoint({ path: '/todos', schema: new schema.Object({ results: new schema.Collection([Todo]), total: 0 }) })
  a<Expect<Equal<ViewOf<typeof object.push>, Todo>>>()
  // What is only known at run time may have one.
  void new RestEndpoint({ path: '/todos', schema: Todos.getList.schema as unknown }).push({ title: 'x' })
  const any: RestEndpoint = a<RestEndpoint>()
  void any.push({ title: 'x' })
  const made = createPaged({ path: '/x/:id', schema: Todo })
  a<Expect<Equal<ViewOf<typeof made.copy>, Todo>>>()
  void (await controller.fetch(made.copy, { title: 'x' })).title
}

/** A function that makes resources of one kind. */
export function createPaged<const P extends string, S extends typeof Todo>(options: { path: P; schema: S }) {
  return createResource(options)
    .extend({ getList: { schema: { results: new schema.Collection([options.schema]), total: 0, limit: 0, skip: 0 } } })
    .extend(Base => ({ copy: Base.getList.push.extend({ path: '/copies' }) }))
}
const Paged = createPaged({ path: '/paged/:id', schema: Todo })
export type Wrapped = [Expect<Equal<ViewOf<typeof Paged.getList>, { results: Todo[]; total: number; limit: number; skip: number }>>]

export function classes(): void {
  class Api<const O> extends RestEndpoint<O> {
    override urlPrefix = 'https://api.example.com'
  }
  class Plain extends RestEndpoint {
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return headers
    }
  }
  void createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api }).get({ id: 1 })
  void createResource({ path: '/todos/:id', schema: Todo, Endpoint: Plain }).get({ id: 1 })
  // @ts-expect-error Property 'id' is missing
  void createResource({ path: '/todos/:id', schema: Todo, Endpoint: Plain }).get({})
  // @ts-expect-error a date is no endpoint
  createResource({ path: '/todos/:id', schema: Todo, Endpoint: Date })
  void createResource({ path: '/todos/:id', schema: Todo, Collection: schema.Collection, nonFilterArgumentKeys: ['page'] })
  class Todos extends schema.Collection<[typeof Todo]> {}
  class Listed<D> extends schema.Collection<D> {}
  void createResource({ path: '/todos/:id', schema: Todo, Collection: Todos })
  void createResource({ path: '/todos/:id', schema: Todo, Collection: Listed })
}
