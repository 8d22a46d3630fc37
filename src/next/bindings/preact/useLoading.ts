import { signal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'

/**
 * Follows what an action of the user comes to. `run` gives its promise; nobody has to await it.
 *
 * @example
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(TodoResource.getList.push, { title }))
 * return <button disabled={saving} onClick={() => save('milk')}>Add</button>
 */
export function useLoading<A extends unknown[], R>(
  action: (...args: A) => R | Promise<R>,
): [run: (...args: A) => Promise<R>, loading: boolean, error: unknown] {
  const latest = useRef(action)
  latest.current = action
  const { run, running, error } = useMemo(() => {
    const running = signal(0)
    const error = signal<unknown>(undefined)
    const attempt = async (args: A): Promise<R> => {
      error.value = undefined
      running.value = running.peek() + 1
      try {
        return await latest.current(...args)
      } catch (failure) {
        error.value = failure
        throw failure
      } finally {
        running.value = running.peek() - 1
      }
    }
    const run = (...args: A): Promise<R> => {
      const outcome = attempt(args)
      outcome.catch(() => {})
      return outcome
    }
    return { run, running, error }
  }, [])
  return [run, running.value > 0, error.value]
}
