import type { Accessor } from 'solid-js'
import { createSignal } from './reactive.ts'

/**
 * Follows what an action of the user comes to. `run` gives its promise; nobody has to await it.
 *
 * @example
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(TodoResource.getList.push, { title }))
 * return <button disabled={saving()} onClick={() => save('milk')}>Add</button>
 */
export function useLoading<A extends unknown[], R>(
  action: (...args: A) => R | Promise<R>,
): [run: (...args: A) => Promise<R>, loading: Accessor<boolean>, error: Accessor<unknown>] {
  const [running, setRunning] = createSignal(0)
  const [error, setError] = createSignal<unknown>()
  const attempt = async (args: A): Promise<R> => {
    setError(undefined)
    setRunning(count => count + 1)
    try {
      return await action(...args)
    } catch (failure) {
      setError(() => failure)
      throw failure
    } finally {
      setRunning(count => count - 1)
    }
  }
  const run = (...args: A): Promise<R> => {
    const outcome = attempt(args)
    outcome.catch(() => {})
    return outcome
  }
  return [run, () => running() > 0, error]
}
