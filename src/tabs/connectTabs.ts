import { systemLocks, trackChanges, type Change, type Locks } from '../changes/index.ts'
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
  /** A tab asks for everything, and gets it; something has changed; somebody has logged out. */
  readonly type: 'ask' | 'state' | 'change' | 'reset'
  /** The tab that it is for, if not for all. */
  readonly to?: number
  readonly change?: Change | undefined
}

interface TabMessage extends Body {
  readonly patchcord: number
  readonly from: number
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
export function connectTabs(controller: Controller, { name: given, channel: own, locks = systemLocks() }: TabsOptions): Tabs {
  const { clock } = controller
  const name = `patchcord ${given}`
  const channel = own ?? new BroadcastChannel(name)
  const me = Math.random()
  const startedAt = clock.date()
  /** The number of the last change that was taken in, by tab. */
  const seen = new Map<number, number>()
  /** When an answer for a key came from another tab. */
  const polled = new Map<string, number>()
  let n = 0
  let resetAt = 0
  let isResetting = false
  let isDisposed = false
  /** One tab answers those that are new; without locks all do. */
  let isLeader = !locks
  let cancelFlush: (() => void) | undefined
  let becomeReady!: () => void
  const ready = new Promise<void>(resolve => (becomeReady = resolve))
  let end!: () => void
  const ended = new Promise<void>(resolve => (end = resolve))

  let { report } = controller
  /** False when it failed. Only the first error is reported. */
  const attempt = (work: () => void): boolean => {
    try {
      work()
      return true
    } catch (error) {
      report(error)
      report = () => {}
    }
    return false
  }
  const post = (body: Body): void => {
    if (isDisposed) return
    const message: TabMessage = { ...body, patchcord: VERSION, from: me, n, resetAt }
    // A message with a function in it cannot be posted. It is posted as JSON then, which leaves out the function.
    if (!attempt(() => channel.postMessage(message))) attempt(() => channel.postMessage(JSON.parse(JSON.stringify(message))))
  }

  const tracker = trackChanges(controller, {
    origin: 'tabs',
    ignores: ['persist', 'hydrate'],
    onChange: () => void (cancelFlush ??= clock.after(FRAME, flush)),
  })
  const flush = (): void => {
    cancelFlush?.()
    cancelFlush = undefined
    const change = tracker.take()
    if (!change) return
    n++
    post({ type: 'change', change })
  }

  const receive = ({ type, from, to, n: number, resetAt: date, change }: TabMessage): void => {
    // Another tab has logged out. A tab that was opened later has nothing from before.
    if (date > Math.max(resetAt, startedAt)) {
      isResetting = true
      attempt(controller.reset)
      isResetting = false
    }
    resetAt = Math.max(resetAt, date)
    if (to ? to !== me : type === 'ask' && !isLeader) return
    // What was done here was done without knowing of this.
    flush()
    if (type === 'ask') return post({ type: 'state', to: from, change: tracker.all() })
    // A new tab has the state of one of the others, which knew what they all had sent.
    const last = seen.get(from) ?? number - 1
    // The sender may not know of a logout yet.
    if (!change || date < resetAt || (type === 'change' && number <= last)) return
    const isComplete = tracker.apply(change)
    seen.set(from, number)
    for (const { key } of change.freshness) polled.set(key, clock.now())
    if (type === 'state') becomeReady()
    else if (!isComplete || number > last + 1) post({ type: 'ask', to: from })
  }

  channel.onmessage = ({ data }: { readonly data: TabMessage | null | undefined }) => {
    if (data?.patchcord === VERSION && Number.isFinite(data.resetAt)) attempt(() => receive(data))
  }
  // In Node a channel must not keep the process alive.
  ;(channel as { unref?(): void }).unref?.()

  const dispose = (): void => {
    flush()
    isDisposed = true
    becomeReady()
    end()
    tracker.stop()
    channel.close()
  }

  controller.manager((): Manager => ({
    action(action) {
      if (action.type !== 'poll' || isDisposed || !locks) return
      const { key, interval, send, skip } = action
      // Another tab has just asked.
      if (clock.now() - polled.get(key)! < interval) skip()
      else locks.request(`${name} ${key}`, { ifAvailable: true }, lock => (lock ? send().then(flush) : skip())).catch(send)
      return true
    },
    commit({ cause }) {
      if (cause !== 'reset' || isResetting) return
      resetAt = Math.max(clock.date(), resetAt + 1)
      post({ type: 'reset' })
    },
    stop: dispose,
  }))

  const lead = (): Promise<void> => {
    isLeader = true
    becomeReady()
    return ended
  }
  const ask = (): void => {
    clock.after(PATIENCE, becomeReady, true)
    post({ type: 'ask' })
  }
  void (locks?.request(name, { ifAvailable: true }, lock => (lock ? lead() : ask())).then(() => locks.request(name, {}, lead)).catch(ask) ?? ask())

  return { ready, dispose }
}
