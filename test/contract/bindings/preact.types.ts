// Checked by the compiler alone: what the hooks of patchcord/preact give and take.
import type { ReadonlySignal } from '@preact/signals'
import { useCache, useCacheSignal, useDLE, useFetch, useLive, useLoading, useQuery, useQuerySignal, useSubscription, useSuspense, useSuspenseSignal, type DLE } from '../../../bindings/preact/index.ts'
import { All, createResource, Endpoint, Entity, RestEndpoint } from '../../../src/index.ts'
import type { AnyEndpoint, ViewOf } from '../../../src/index.ts'
import type { Equal } from '../../types/expect.ts'

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

/** Takes what has exactly this type, and no value that is only assignable to it. */
declare function exactly<T>(): <U>(value: U, ...same: Equal<T, U> extends true ? [] : [never]) => void

export function Hooks(): void {
  exactly<Todo>()(useSuspense(get, { id: '1' }))
  exactly<Todo | undefined>()(useSuspense(get, maybe === undefined ? null : { id: maybe }))
  exactly<Todo[]>()(useSuspense(getList))
  exactly<Todo[]>()(useSuspense(getList, { done: true }))
  exactly<number>()(useSuspense(ping))
  exactly<number | undefined>()(useSuspense(ping, maybe === undefined ? null : undefined))
  exactly<Todo[] | undefined>()(useSuspense(getList, maybe === undefined ? null : undefined))
  exactly<ReadonlySignal<Todo>>()(useSuspenseSignal(get, { id: 1 }))
  exactly<ReadonlySignal<Todo | undefined>>()(useSuspenseSignal(get, null))
  exactly<Todo>()(useLive(get, { id: '1' }))
  exactly<Todo | undefined>()(useCache(get, { id: '1' }))
  exactly<ReadonlySignal<Todo | undefined>>()(useCacheSignal(get, null))
  exactly<DLE<Todo[]>>()(useDLE(getList))
  exactly<Promise<Todo[] | undefined>>()(useDLE(getList).refetch())
  exactly<Promise<Todo>>()(useFetch(get, { id: '1' }))
  exactly<Promise<Todo> | undefined>()(useFetch(get, null))
  exactly<Todo | undefined>()(useQuery(Todo, { id: '1' }))
  exactly<ReadonlySignal<Todo[] | undefined>>()(useQuerySignal(new All(Todo)))
  exactly<[run: (id: string, times: number) => Promise<string>, loading: boolean, error: Error | undefined]>()(
    useLoading((id: string, times: number) => Promise.resolve(id.repeat(times))),
  )
  // @ts-expect-error The type is another.
  exactly<Todo>()(useCache(get, { id: '1' }))

  useQuery(Todo, null)
  useSubscription(get, null)
  // @ts-expect-error 'idd' does not exist
  useQuery(Todo, { idd: '1' })
  // @ts-expect-error 'idd' does not exist
  useQuerySignal(Todo, { idd: '1' })
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
