import type { Accessor } from 'solid-js'
import { useDLE, useFetch, useLoading, useQuery, useSubscription, useSuspense } from '../../../bindings/solid/index.ts'
import type { AccessorArgs, createQuery, createSuspense, DLE, Reading, useCache, useLive } from '../../../bindings/solid/index.ts'
import { createResource, Endpoint, Entity, Query } from '../../../src/index.ts'
import type { AnyEndpoint, ViewOf } from '../../../src/index.ts'
import { a, type Equal, type Expect } from '../../types/expect.ts'

class Todo extends Entity {
  id = 0
  title = ''
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams: {} as { done?: boolean } | undefined })
const { get, getList } = TodoResource
const ping = new Endpoint(async () => 7, { name: 'ping' })
const count = new Query(getList.schema, todos => todos.length)

/** A component for any endpoint gives on what it was given. */
export function any<E extends AnyEndpoint>(endpoint: E, args: Parameters<E>, later: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>>[] {
  return [useSuspense(endpoint, ...args), useSuspense(endpoint, ...later)]
}

/** Never run: that it compiles is the test. */
export function reads(id: Accessor<number | undefined>): void {
  const one = useSuspense(get, { id: 1 })
  a<Expect<Equal<typeof one, Reading<Todo>>>>()
  a<Expect<Equal<ReturnType<typeof one>, Todo | undefined>>>()
  a<Expect<Equal<typeof one.latest, Todo | undefined>>>()

  // Values, accessors, not yet.
  useSuspense(get, () => ({ id: '1' }))
  useSuspense(get, null)
  useSuspense(get, () => null)
  useSuspense(get, () => {
    const now = id()
    return now === undefined ? null : { id: now }
  })
  useSuspense(ping)
  useSuspense(ping, null)
  useSuspense(ping, () => (id() === undefined ? null : undefined))
  useDLE(ping, () => null)
  // @ts-expect-error it has no arguments
  useSuspense(ping, 1)
  // @ts-expect-error whatever gives them
  useSuspense(ping, () => 1)
  useSuspense(getList)
  useSuspense(getList, () => (id() === undefined ? null : undefined))
  useSuspense(getList, { done: true })
  useSuspense(getList, () => ({ done: true }))
  // @ts-expect-error a required argument
  useSuspense(get)
  // @ts-expect-error of another name
  useSuspense(get, { name: 1 })
  // @ts-expect-error an accessor of something else
  useSuspense(get, () => 1)
  // @ts-expect-error undefined is no way to say not yet
  useSuspense(get, () => (id() === undefined ? undefined : { id: 1 }))
  // @ts-expect-error of a name that is no parameter
  useSuspense(getList, { don: true })
  // @ts-expect-error the same in an accessor
  useSuspense(getList, () => ({ don: true }))
  // @ts-expect-error an accessor of something else
  useSuspense(getList, () => 1)
  // @ts-expect-error each call changes something
  useSuspense(TodoResource.update, { id: 1 }, { title: 'x' })
  // @ts-expect-error each call changes something
  useDLE(getList.push, { title: 'x' })
  // @ts-expect-error a schema is no endpoint
  useSuspense(Todo, { id: 1 })

  const dle = useDLE(getList)
  a<Expect<Equal<typeof dle, DLE<Todo[]>>>>()
  a<Expect<Equal<ReturnType<typeof useCache<typeof get>>, Reading<Todo>>>>()
  a<Expect<Equal<ReturnType<typeof useLive<typeof get>>, Reading<Todo>>>>()
  const promise = useFetch(get, { id: 1 })
  a<Expect<Equal<typeof promise, Accessor<Promise<Todo | undefined> | undefined>>>>()
  const nothing = useSubscription(get, () => ({ id: 1 }))
  a<Expect<Equal<typeof nothing, void>>>()

  const todo = useQuery(Todo, () => ({ id: 1 }))
  useQuery(Todo, () => null)
  // @ts-expect-error 'idd' does not exist
  useQuery(Todo, { idd: 1 })
  // @ts-expect-error 'idd' does not exist
  useQuery(Todo, () => ({ idd: 1 }))
  a<Expect<Equal<typeof todo, Accessor<Todo | undefined>>>>()
  const number = useQuery(count)
  a<Expect<Equal<typeof number, Accessor<number | undefined>>>>()

  const [run, loading, error] = useLoading(async (title: string) => title.length)
  a<Expect<Equal<typeof run, (title: string) => Promise<number>>>>()
  a<Expect<Equal<[typeof loading, typeof error], [Accessor<boolean>, Accessor<Error | undefined>]>>>()
  // @ts-expect-error arguments as the action takes them
  void run(1)

  a<Expect<Equal<[typeof createSuspense, typeof createQuery], [typeof useSuspense, typeof useQuery]>>>()
}
