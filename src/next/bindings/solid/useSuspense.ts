import type { ReadEndpoint, ViewOf } from '../../index.ts'
import type { AccessorArgs } from './args.ts'
import { createToken, throwable } from './reactive.ts'
import { createRead, isMissing, keepFresh, readingOf, type Reading } from './reading.ts'
import { startWait } from './wait.ts'

/**
 * Reads an endpoint, and fetches when what is there is stale. While there is nothing to show, who calls it waits under
 * its `<Suspense>`; what fails for good is thrown to its `<ErrorBoundary>`. Later requests show in `loading` alone.
 *
 * @example
 * const todo = useSuspense(TodoResource.get, () => ({ id: props.id }))
 * return <Suspense fallback="…"><h1>{todo()?.title}</h1></Suspense>
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: AccessorArgs<Parameters<E>>): Reading<ViewOf<E>> {
  const read = createRead(endpoint, args, true)
  const { data, fault, fetchIfStale, refetch, state } = read
  const token = createToken(
    before => {
      const { cause, loading } = state()
      if (isMissing(cause)) {
        return before && before.cause === cause && !before.over && !(before.failed && loading) ? before : startWait(cause!)
      }
      if (before?.failed) return undefined
      // It stays, and ends by itself: a transition that waits for it hears of nothing else.
      before?.end()
      return before
    },
    // What is under way is joined, whatever the last one came to.
    () => (state().loading ? refetch() : fetchIfStale()),
  )
  keepFresh(read, false)
  return readingOf(read, () => {
    token()
    const error = fault()
    if (error !== undefined) throw throwable(error)
    return data()
  })
}
