import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from '../network/Manager.ts'
import { createInbox } from './createInbox.ts'

/** After a connection that lasted this long the next attempt is the first of its series. */
const LASTING = 5000

/** Milliseconds before the second attempt, doubled for each that follows. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 30_000

/** A page that is hidden for longer disconnects until it is seen. */
const HIDDEN = 60_000

/**
 * The part of the platform's `EventSource` that is used.
 *
 * @example
 * const open = (url: string): PushEvents => new EventSource(url, { withCredentials: true })
 * connect(controller, { url: '/stream', open, types: { Todo } })
 */
export interface PushEvents {
  onmessage: ((event: never) => unknown) | null
  onerror: ((event: never) => unknown) | null
  close(): void
}

/**
 * Opens a stream of messages that goes on after the message `lastId`. `signal` aborts when the stream is no longer wanted.
 *
 * @example
 * const source: PushSource = async function* () {
 *   yield { id: '1', type: 'upsert', entity: 'Todo', value: { id: 1, done: true } }
 * }
 */
export type PushSource = (lastId: string | undefined, signal: AbortSignal) => AsyncIterable<unknown>

/**
 * Where the stream comes from, and what is in it.
 *
 * @example
 * const options: ConnectOptions = { url: '/stream', types: { Todo, User } }
 * const stream = connect(controller, options)
 */
export interface ConnectOptions {
  /**
   * The address of the stream. A function gets the keys of the `stream: true` endpoints that are on screen; when it
   * returns another address, the connection is opened anew.
   */
  readonly url?: string | ((keys: readonly string[]) => string)
  /** Opens the address; `new EventSource(url)` unless given. */
  readonly open?: (url: string) => PushEvents
  /** Messages from elsewhere, such as a WebSocket, instead of `url`. */
  readonly source?: PushSource
  /** The schemas that messages name: entity classes, and creation schemas such as `TodoResource.getList.push.schema`. */
  readonly types: { readonly [name: string]: unknown }
  /** Where to begin: the id of the last message that the data in the store includes. */
  readonly lastId?: string
}

/**
 * `connecting`: for the first time, or again. `waiting`: until the next attempt. `paused`: offline, or hidden for long.
 *
 * @example
 * const isLive = (status: PushStatus): boolean => status === 'open'
 */
export type PushStatus = 'connecting' | 'open' | 'waiting' | 'paused' | 'stopped'

/**
 * A connection to a stream.
 *
 * @example
 * const stream: PushConnection = connect(controller, { url: '/stream', types: { Todo } })
 * console.log(stream.status.value) // connecting
 */
export interface PushConnection {
  readonly status: ReadonlySignal<PushStatus>
  /** The id of the last message that is in the store. */
  readonly lastId: () => string | undefined
  /** Ends the connection. The data stays. */
  readonly stop: () => void
}

/**
 * Lets a stream of the server write into the store, until `stop` is called or the controller is disposed of. After a
 * disconnect the stream goes on where it was; where the server cannot, what is on screen is fetched again. `useLive` of
 * an endpoint with `stream: true` does not poll while there is a connection.
 *
 * @example
 * const stream = connect(controller, { url: '/stream', types: { Todo, User } })
 * stream.stop()
 */
export function connect(controller: Controller, options: ConnectOptions): PushConnection {
  const { clock, platform } = controller
  const { source, url, open: openEvents = address => new EventSource(address) } = options
  const status = signal<PushStatus>('paused')
  const followers = new Set<{ readonly key: string }>()
  /** The keys of the `stream: true` endpoints on screen. */
  const keysNow = (): string[] => [...new Set([...followers].map(({ key }) => key))].sort()
  const addressOf = typeof url === 'function' ? url : () => url!
  /** What was on screen when the connection was asked for, and when the last one was opened. */
  let keys: readonly string[] = []
  let followed: readonly string[] | undefined
  let abort = new AbortController()
  let failures = 0
  let openedAt = Infinity
  /** Cancel timers: until the next attempt, until a silent connection is given up, until a hidden page disconnects. */
  let retry: (() => void) | undefined
  let silence: (() => void) | undefined
  let hide: (() => void) | undefined

  const inbox = createInbox(controller, options.types, interval => {
    // A ping states how often there is a message: silence means that the connection is dead.
    silence?.()
    if (interval > 0 && openedAt < Infinity) silence = clock.after(interval * 2, lost)
  })
  inbox.lastId = inbox.arrivedId = options.lastId

  const close = (next: PushStatus): void => {
    retry?.()
    silence?.()
    abort.abort()
    openedAt = Infinity
    status.value = next
  }

  const lost = (error?: unknown): void => {
    if (clock.now() - openedAt > LASTING) failures = 0
    if (error && failures === 0) controller.report(error)
    close('waiting')
    // The delay doubles with each attempt. Half of it is random, so that clients of one server do not all come back at once.
    retry = clock.after(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures++) * (0.5 + Math.random() / 2), open)
  }

  const opened = (): void => {
    // A server that sends only what is on screen has sent nothing about the rest.
    if (followed && url === addressOf) for (const key of keys) if (!followed.includes(key)) inbox.expire(key)
    followed = keys
    openedAt = clock.now()
    status.value = 'open'
  }

  const open = (): void => {
    close('connecting')
    // The first message comes within this time, or the connection is given up.
    silence = clock.after(LONGEST_WAIT, lost)
    const { signal } = (abort = new AbortController())
    const lastId = inbox.arrivedId
    keys = keysNow()
    const message = (raw: unknown, id?: string): void => {
      if (signal.aborted) return
      if (openedAt === Infinity) opened()
      inbox.add(raw, id)
    }
    const closed = (error: unknown): void => void (signal.aborted || lost(error))
    const read = async (): Promise<void> => {
      if (source) for await (const raw of source(lastId, signal)) message(raw)
      else {
        const address = addressOf(keys)
        // A new EventSource cannot send the id as a header.
        const events = openEvents(lastId === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}lastEventId=${encodeURIComponent(lastId)}`)
        events.onmessage = ({ data, lastEventId }: { readonly data: string; readonly lastEventId: string }) => message(data, lastEventId)
        signal.onabort = () => events.close()
        // It would connect again by itself, without backoff.
        await new Promise(resolve => (events.onerror = resolve))
      }
    }
    read().then(closed, closed)
  }

  const look = (): void => {
    const isVisible = platform.visible()
    if (isVisible) {
      hide?.()
      hide = undefined
    } else hide ??= clock.after(HIDDEN, () => close('paused'))
    if (!platform.online()) close('paused')
    else if (isVisible && status.peek() === 'paused') open()
  }

  /** What is on screen has changed: perhaps the address has too. */
  const move = (): void => {
    // In a task of its own: when a page changes, some subscriptions end and others start, and one new connection is enough for all of them.
    clock.after(0, () => void (abort.signal.aborted || addressOf(keysNow()) === addressOf(keys) || open()))
  }

  const follow = (key: string): (() => void) => {
    const follower = { key }
    followers.add(follower)
    move()
    return () => {
      followers.delete(follower)
      move()
    }
  }
  controller.follow = follow
  const unwatch = platform.watch(look)
  look()

  const stop = (): void => {
    unwatch()
    hide?.()
    inbox.clear()
    close('stopped')
    if (controller.follow === follow) delete controller.follow
  }
  controller.manager((): Manager => ({
    stop,
    action(action) {
      if (status.peek() === 'stopped') return
      if (action.type === 'fetch' && action.endpoint.sideEffect) inbox.watch(action.outcome, action.call)
      // A reset may be a logout: messages for the last user must not reach the store of the next one.
      if (action.type !== 'reset') return
      inbox.lastId = undefined
      inbox.clear()
      close('paused')
      look()
    },
  }))
  return { status, lastId: () => inbox.lastId, stop }
}
