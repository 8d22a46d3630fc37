import { cloneable, systemLocks, trackChanges, type Change, type Locks } from '../changes/index.ts'
import type { Controller, Manager } from '../index.ts'
import type { Channel } from './Channel.ts'

/**
 * Options of `connectTabs`.
 *
 * @example
 * const options: TabsOptions = { name: 'todos' }
 */
export interface TabsOptions {
  /** Tabs of one origin with the same name share their data. */
  readonly name: string
  /** A `BroadcastChannel` of that name unless given. */
  readonly channel?: Channel
  /** `navigator.locks` unless given. */
  readonly locks?: Locks
}

/**
 * A connection to the other tabs.
 *
 * @example
 * const tabs: Tabs = connectTabs(controller, { name: 'todos' })
 * await tabs.ready
 * tabs.dispose()
 */
export interface Tabs {
  /** Resolves when the data of another tab is here, or when there is no other tab. Never rejects. */
  readonly ready: Promise<void>
  readonly dispose: () => void
}

/** Messages of other versions are ignored. */
const VERSION = 1
/** Milliseconds between two messages of changes: a frame. */
const FRAME = 16
/** Milliseconds to wait for another tab. */
const PATIENCE = 500
/** How many tabs are remembered. */
const TAB_LIMIT = 1000

type Body =
  /** A new tab asks who is there. */
  | { readonly type: 'ask' }
  /** The answer, with the number of the last change. */
  | { readonly type: 'here'; readonly to: string }
  /** One tab wants everything from another. */
  | { readonly type: 'want'; readonly to: string }
  | { readonly type: 'state'; readonly to: string; readonly change: Change }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'reset' }

type TabMessage = Body & {
  readonly patchcord: number
  readonly from: string
  /** The number of the last change that this tab has sent, this one included. */
  readonly n: number
  /** When the last logout was. */
  readonly resetAt: number
  /** The number of the last change of each other tab that this tab knew. */
  readonly seen: { readonly [tab: string]: number }
}

/**
 * Shares confirmed data, invalidations and resets with the other tabs of the origin. A new tab gets the data of another
 * one, and each polled key is polled by one tab.
 *
 * @example
 * const tabs = connectTabs(controller, { name: 'todos' })
 * await tabs.ready // then render: data that another tab has is shown without a request
 */
export function connectTabs(controller: Controller, { name, channel = new BroadcastChannel(`patchcord ${name}`), locks = systemLocks() }: TabsOptions): Tabs {
  const { clock, report } = controller
  const me = Math.random().toString(36).slice(2)
  const startedAt = clock.date()
  /** The number of the last change that was taken in, by tab. */
  let seen = new Map<string, number>()
  /** Tabs whose state is on its way. */
  const wanted = new Set<string>()
  /** When an answer for a key came from another tab. */
  const polled = new Map<string, number>()
  let n = 0
  let resetAt = 0
  let isResetting = false
  let isDisposed = false
  let hasReported = false
  let cancelFlush: (() => void) | undefined
  let cancelWait = (): void => {}
  let becomeReady!: () => void
  const ready = new Promise<void>(resolve => (becomeReady = resolve))

  const reportOnce = (error: unknown): void => {
    if (!hasReported) report(error)
    hasReported = true
  }
  const post = (body: Body): void => {
    if (isDisposed) return
    const message: TabMessage = { ...body, patchcord: VERSION, from: me, n, resetAt, seen: Object.fromEntries(seen) }
    try {
      channel.postMessage(message)
    } catch (error) {
      reportOnce(error)
      // One value that cannot be cloned must not hold back the others.
      if ('change' in body && body.change.patches.length > 0) attempt(() => channel.postMessage({ ...message, change: cloneable(body.change) }))
    }
  }
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      reportOnce(error)
    }
  }

  const tracker = trackChanges(controller, {
    origin: 'tabs',
    ignores: ['persist', 'hydrate'],
    name: me,
    onChange: () => void (cancelFlush ??= isDisposed ? undefined : clock.after(FRAME, flush)),
  })
  const flush = (): void => {
    cancelFlush?.()
    cancelFlush = undefined
    const change = tracker.take()
    if (!change) return
    n++
    post({ type: 'change', change })
  }

  /** Another tab has logged out at `date`. A tab that was opened later has nothing from before. */
  const logOut = (date: number): void => {
    resetAt = date
    if (date <= startedAt) return
    isResetting = true
    attempt(controller.reset)
    isResetting = false
  }
  const want = (from: string): void => {
    if (wanted.has(from)) return
    wanted.add(from)
    post({ type: 'want', to: from })
    clock.after(PATIENCE, () => wanted.delete(from))
  }

  const receive = (message: TabMessage): void => {
    const { from, n: number } = message
    if (message.resetAt > resetAt) logOut(message.resetAt)
    // The sender did not know of the logout yet.
    if (message.resetAt < resetAt) return message.type === 'ask' ? post({ type: 'here', to: from }) : undefined
    const last = seen.get(from)
    if (message.type === 'ask') post({ type: 'here', to: from })
    else if (message.type === 'want' && message.to === me) {
      flush()
      post({ type: 'state', to: from, change: tracker.all() })
    } else if (message.type === 'here' && message.to === me) {
      if (last === undefined ? wanted.size === 0 : last < number) want(from)
    } else if (message.type === 'change' || (message.type === 'state' && message.to === me)) {
      const isState = message.type === 'state'
      if (!isState && last !== undefined && number <= last) return
      // What was done here was done without knowing of this.
      flush()
      if (seen.size > TAB_LIMIT) seen = new Map()
      const isComplete = tracker.apply(message.change, { by: from, n: number, seen: message.seen })
      seen.set(from, number)
      for (const [key] of message.change.freshness) polled.set(key, clock.now())
      if (isState) {
        wanted.delete(from)
        for (const [tab, count] of Object.entries(message.seen)) if (tab !== me && Number.isSafeInteger(count) && !seen.has(tab)) seen.set(tab, count)
        becomeReady()
      } else if (!isComplete || number > (last ?? 0) + 1) want(from)
    } else if (message.type === 'reset') seen.set(from, number)
  }

  channel.addEventListener('message', ({ data }) => {
    if (!isDisposed && isMessage(data) && data.from !== me) attempt(() => receive(data))
  })
  // In Node a channel must not keep the process alive.
  ;(channel as { unref?(): void }).unref?.()

  const unsubscribe = controller.subscribePatches(({ cause }) => {
    if (cause !== 'reset' || isResetting) return
    resetAt = Math.max(clock.date(), resetAt + 1)
    n++
    post({ type: 'reset' })
  })

  controller.manager((): Manager => ({
    action(action) {
      if (action.type !== 'poll' || isDisposed) return false
      // Another tab has just asked.
      if (clock.now() - (polled.get(action.key) ?? -Infinity) < action.interval) action.skip()
      else if (!locks) return false
      else {
        const work = (lock: unknown): unknown => (lock ? action.send().then(flush) : action.skip())
        locks.request(`patchcord ${name} ${action.key}`, { ifAvailable: true }, work).catch(() => void action.send())
      }
      return true
    },
    stop: () => dispose(),
  }))

  /** A lock that every tab holds as long as it lives tells a new tab whether it is alone. */
  let release = (): void => {}
  const ask = (): void => {
    if (isDisposed) return becomeReady()
    post({ type: 'ask' })
    cancelWait = clock.after(PATIENCE, becomeReady, true)
  }
  const live = (): void => {
    if (!isDisposed) void locks?.request(`patchcord ${name}`, { mode: 'shared' }, () => new Promise<void>(resolve => (release = resolve))).catch(() => {})
  }
  if (!locks) ask()
  else locks.request(`patchcord ${name}`, { ifAvailable: true }, lock => (lock ? becomeReady() : ask())).then(live, ask)
  void ready.then(() => cancelWait())

  const dispose = (): void => {
    if (isDisposed) return
    if (cancelFlush) flush()
    isDisposed = true
    cancelWait()
    becomeReady()
    release()
    unsubscribe()
    tracker.stop()
    attempt(() => channel.close())
  }
  return { ready, dispose }
}

function isMessage(data: unknown): data is TabMessage {
  const { patchcord, from, n, resetAt, seen } = (typeof data === 'object' && data !== null ? data : {}) as Partial<TabMessage>
  return patchcord === VERSION && typeof from === 'string' && Number.isSafeInteger(n) && Number.isFinite(resetAt) && typeof seen === 'object' && seen !== null
}
