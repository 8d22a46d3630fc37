import type { AnyEndpoint, ViewOf } from '../../src/index.ts'
import type { AccessorArgs } from './args.ts'
import { createToken, throwable } from './reactive.ts'
import { createRead, isMissing, keepFresh, readingOf, type Reading } from './reading.ts'

/**
 * Reads an endpoint, and fetches when what is there is stale. While there is nothing to show, who calls it waits under
 * its `<Suspense>`; what fails for good is thrown to its `<ErrorBoundary>`. Later requests show in `loading` alone.
 *
 * @example
 * const todo = useSuspense(TodoResource.get, () => ({ id: props.id }))
 * return <Suspense fallback="…"><h1>{todo()?.title}</h1></Suspense>
 */
export function useSuspense<E extends AnyEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  const read = createRead(endpoint, args)
  const { cause, data, fault, fetchIfStale } = read
  const token = createToken(() => (isMissing(cause()) ? cause() : undefined), fetchIfStale)
  keepFresh(read, false)
  return readingOf(read, () => {
    token()
    const error = fault()
    if (error !== undefined) throw throwable(error)
    return data()
  })
}
