import type { AnyEndpoint, FetchAction, Manager, ManagerHost } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'

/** A platform whose state the test sets. */
export type HandPlatform = ReturnType<typeof createPlatform>

export function createPlatform() {
  const listeners = new Set<() => void>()
  const now = { online: true, visible: true }
  return {
    online: () => now.online,
    visible: () => now.visible,
    watch(listener: () => void): () => void {
      const mine = (): void => listener()
      listeners.add(mine)
      return () => void listeners.delete(mine)
    },
    set(change: Partial<typeof now>): void {
      Object.assign(now, change)
      for (const listener of [...listeners]) listener()
    },
    /** How many listen. */
    get watchers() {
      return listeners.size
    },
  }
}

/** What a manager is started with, where nothing but the manager is under test. */
export function createWorld(verbs: Partial<ManagerHost> = {}) {
  const clock = createClock(1_700_000_000_000)
  const platform = createPlatform()
  const reported: unknown[] = []
  const host = { clock, platform, dispatch: () => false, report: (error: unknown) => void reported.push(error), ...verbs } as ManagerHost
  return { host, clock, platform, reported }
}

/** A request as a controller would offer it, and how often and with what it was settled. */
export type Asked = ReturnType<typeof ask>

export function ask(manager: Manager, endpoint: AnyEndpoint, options: { args?: readonly unknown[]; abort?: AbortController } = {}) {
  const { args = [], abort = new AbortController() } = options
  const outcomes: { readonly value?: unknown; readonly error?: unknown }[] = []
  /** The first outcome. It is never unhandled. */
  const promise = new Promise<unknown>((resolve, reject) => {
    const action: FetchAction = {
      type: 'fetch',
      endpoint,
      args,
      key: endpoint.key(...(args as unknown[])),
      signal: abort.signal,
      outcome: new Promise(() => {}),
      answer: value => void (outcomes.push({ value }), resolve(value)),
      fail: error => void (outcomes.push({ error }), reject(error as Error)),
    }
    if (manager.action?.(action) !== true) throw new Error('nobody has taken the request')
  })
  promise.catch(() => {})
  return { outcomes, abort, promise }
}

/** Lets what is already decided happen. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Winds the clock in small steps, so that what each step decides can happen before the next. */
export async function pass(clock: HandClock, ms: number, step: number = 100, happen = settle): Promise<void> {
  clock.advance(0)
  await happen()
  for (let left = ms; left > 0; left -= step) {
    clock.advance(Math.min(step, left))
    await happen()
  }
}
