import type { Manager } from '../../src/index.ts'

/** A network that counts how often each of its requests is settled. */
export interface Counting {
  readonly network: Manager
  readonly settled: {
    /** How often a request for `name` was settled. */
    count(name: string): number
    /** The next time that one is. */
    next(name: string): Promise<void>
  }
}

/** Requests are distinguished by method and name: `PUT 7`. */
export function counting(inner: Manager): Counting {
  const counts = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  return {
    network: {
      start: (host) => inner.start?.(host),
      stop: () => inner.stop?.(),
      action(action) {
        if (action.type !== 'fetch') return inner.action?.(action)
        const [params] = action.args as [{ id?: string; group?: string }]
        const name = `${(action.endpoint as { method?: string }).method} ${params.id ?? params.group}`
        const end = (): void => {
          counts.set(name, (counts.get(name) ?? 0) + 1)
          waiting.get(name)?.()
          waiting.delete(name)
        }
        return inner.action?.({
          ...action,
          get args() {
            return action.args
          },
          answer(value) {
            action.answer(value)
            end()
          },
          fail(error) {
            action.fail(error)
            end()
          },
        })
      },
    },
    settled: { count: (name) => counts.get(name) ?? 0, next: (name) => new Promise((resolve) => void waiting.set(name, resolve)) },
  }
}
