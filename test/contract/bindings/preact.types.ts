// Checked by the compiler alone: what the hooks of patchcord/preact give and take.
import type { ReadonlySignal } from '@preact/signals'
import { useCache, useCacheSignal, useDLE, useFetch, useLive, useLoading, useQuery, useQuerySignal, useSubscription, useSuspense, useSuspenseSignal, type DLE } from '../../../bindings/preact/index.ts'
import { All, createResource, Endpoint, Entity, RestEndpoint } from '../../../src/index.ts'
import type { AnyEndpoint, ViewOf } from '../../../src/index.ts'
import type { Equal, Expect } from '../../types/expect.ts'

class Todo extends Entity {
  id = ''
  title = ''
}
const { get, getList, update, delete: remove } = createResource({ path: '/todos/:id', schema: Todo, searchParams: {} as { done?: boolean } | undefined })
const ping = new Endpoint(async () => 7)
declare const maybe: string | undefined

/** A hook for any endpoint, which may be one that can be read. */
export function useAny<E extends AnyEndpoint>(endpoint: E, ...args: Parameters<E>): ViewOf<E> {
  return useSuspense(endpoint, ...args)
}

export function Hooks(): void {
  const one = useSuspense(get, { id: '1' })
  const later = useSuspense(get, maybe === undefined ? null : { id: maybe })
  const list = useSuspense(getList)
  const some = useSuspense(getList, { done: true })
  const seven = useSuspense(ping)
  const sevenLater = useSuspense(ping, maybe === undefined ? null : undefined)
  const listLater = useSuspense(getList, maybe === undefined ? null : undefined)
  const signal = useSuspenseSignal(get, { id: 1 })
  const laterSignal = useSuspenseSignal(get, null)
  const live = useLive(get, { id: '1' })
  const cached = useCache(get, { id: '1' })
  const cachedSignal = useCacheSignal(get, null)
  const dle = useDLE(getList)
  const fetched = useFetch(get, { id: '1' })
  const fetchedLater = useFetch(get, null)
  const found = useQuery(Todo, { id: '1' })
  useQuery(Todo, null)
  // @ts-expect-error 'idd' does not exist
  useQuery(Todo, { idd: '1' })
  // @ts-expect-error 'idd' does not exist
  useQuerySignal(Todo, { idd: '1' })
  const all = useQuerySignal(new All(Todo))
  const loading = useLoading((id: string, times: number) => Promise.resolve(id.repeat(times)))
  useSubscription(get, null)

  type Cases = [
    Expect<Equal<typeof one, Todo>>,
    Expect<Equal<typeof later, Todo | undefined>>,
    Expect<Equal<typeof list, Todo[]>>,
    Expect<Equal<typeof some, Todo[]>>,
    Expect<Equal<typeof seven, number>>,
    Expect<Equal<typeof sevenLater, number | undefined>>,
    Expect<Equal<typeof listLater, Todo[] | undefined>>,
    Expect<Equal<typeof signal, ReadonlySignal<Todo>>>,
    Expect<Equal<typeof laterSignal, ReadonlySignal<Todo | undefined>>>,
    Expect<Equal<typeof live, Todo>>,
    Expect<Equal<typeof cached, Todo | undefined>>,
    Expect<Equal<typeof cachedSignal, ReadonlySignal<Todo | undefined>>>,
    Expect<Equal<typeof dle, DLE<Todo[]>>>,
    Expect<Equal<ReturnType<typeof dle.refetch>, Promise<Todo[] | undefined>>>,
    Expect<Equal<typeof fetched, Promise<Todo>>>,
    Expect<Equal<typeof fetchedLater, Promise<Todo> | undefined>>,
    Expect<Equal<typeof found, Todo | undefined>>,
    Expect<Equal<typeof all, ReadonlySignal<Todo[] | undefined>>>,
    Expect<Equal<typeof loading, [run: (id: string, times: number) => Promise<string>, loading: boolean, error: Error | undefined]>>,
  ]
  void ({} as Cases)

  // @ts-expect-error The path has a parameter.
  useSuspense(get)
  // @ts-expect-error And that is its name.
  useSuspense(get, { name: '1' })
  // @ts-expect-error An empty list of arguments is not "not yet".
  useSuspense(get, undefined)
  // @ts-expect-error It has no arguments.
  useDLE(ping, 1)
  // @ts-expect-error Each call changes something.
  useSuspense(update, { id: 1 }, { title: 'x' })
  // @ts-expect-error Each call changes something.
  useDLE(remove, { id: 1 })
  // @ts-expect-error Each call changes something.
  useCache(getList.push, { title: 'x' })
  // @ts-expect-error Each call changes something.
  useFetch(ping.extend({ sideEffect: true }))
  useSuspense(new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } }), { q: 'x' })
  useSuspense(new RestEndpoint({ path: '/search', method: maybe ?? 'GET' }))
  useLive(ping.extend({ dataExpiryLength: 5 }))
}
