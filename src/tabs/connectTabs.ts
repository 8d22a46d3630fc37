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

interface Body {
  /** A new tab asks who is there; others are there; one wants everything from another, and gets it; something has changed; somebody has logged out. */
  readonly type: 'ask' | 'here' | 'want' | 'state' | 'change' | 'reset'
  /** The tab that it is for, if not for all. */
  readonly to?: string
  readonly change?: Change
}

interface TabMessage extends Body {
  readonly patchcord: number
  readonly from: string
  /** The number of the last change that this tab has sent, this one included. */
  readonly n: number
  /** When the last logout was. */
  readonly resetAt: number
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
  const seen = new Map<string, number>()
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
    const message: TabMessage = { ...body, patchcord: VERSION, from: me, n, resetAt }
    try {
      channel.postMessage(message)
    } catch (error) {
      reportOnce(error)
      // One value that cannot be cloned must not hold back the others.
      if (body.change) attempt(() => channel.postMessage({ ...message, change: cloneable(body.change!) }))
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

  const receive = ({ type, from, to = me, n: number, resetAt: date, change }: TabMessage): void => {
    if (date > resetAt) logOut(date)
    if (type === 'ask') return post({ type: 'here', to: from })
    // The sender did not know of the logout yet.
    if (date < resetAt || to !== me) return
    const last = seen.get(from) ?? 0
    if (type === 'want') {
      flush()
      post({ type: 'state', to: from, change: tracker.all() })
    } else if (type === 'here') {
      if (wanted.size === 0) want(from)
      else seen.set(from, number)
    } else if (change && (type === 'state' || number > last)) {
      // What was done here was done without knowing of this.
      flush()
      const isComplete = tracker.apply(change)
      seen.set(from, number)
      for (const [key] of change.freshness) polled.set(key, clock.now())
      if (type === 'state') {
        wanted.delete(from)
        becomeReady()
      } else if (!isComplete || number > last + 1) want(from)
    }
  }

  channel.addEventListener('message', ({ data }) => {
    if (!isDisposed && isMessage(data) && data.from !== me) attempt(() => receive(data))
  })
  // In Node a channel must not keep the process alive.
  ;(channel as { unref?(): void }).unref?.()

  const unsubscribe = controller.subscribePatches(({ cause }) => {
    if (cause !== 'reset' || isResetting) return
    resetAt = Math.max(clock.date(), resetAt + 1)
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
  const { patchcord, from, n, resetAt } = (data ?? {}) as Partial<TabMessage>
  return patchcord === VERSION && typeof from === 'string' && Number.isSafeInteger(n) && Number.isFinite(resetAt)
}
