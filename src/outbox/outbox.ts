import { signal, type ReadonlySignal } from '@preact/signals-core'
import { systemLocks, type Locks, type RecordStorage } from '../changes/index.ts'
import { AbortError, Endpoint, ResetError, type AnyEndpoint, type CallAction, type Controller, type FetchAction, type Manager } from '../index.ts'
import { endpointsIn } from './endpointsIn.ts'

/**
 * A call that the server has refused.
 *
 * @example
 * const onRejected = ({ endpoint, error }: RejectedCall): void => console.log(endpoint.name, error)
 */
export interface RejectedCall {
  readonly endpoint: AnyEndpoint
  readonly args: readonly unknown[]
  readonly error: unknown
}

/**
 * Options of `outbox`.
 *
 * @example
 * const options = (storage: OutboxOptions['storage']): OutboxOptions => ({ storage, endpoints: [TodoResource], onRejected: ({ error }) => console.log(error) })
 */
export interface OutboxOptions {
  /** Stores the calls. `idbStorage(name)` of `patchcord/persist`, or another one. */
  readonly storage: RecordStorage
  /** Resources and endpoints whose calls are stored. An endpoint is found again by its `name`. */
  readonly endpoints: readonly object[]
  /** The name of the locks that the tabs of one storage share; `patchcord` unless given. */
  readonly name?: string
  /** Called when a call leaves the outbox without success. Its change has disappeared. */
  readonly onRejected?: (call: RejectedCall) => void
  /** Whether a call leaves the outbox after this error. Unless given: after 4xx, except 408 and 429. */
  readonly isRejected?: (error: unknown) => boolean
  /** What `persist` returned for this controller: a call is removed only when its answer is on disk. */
  readonly persisted?: { flush(): Promise<void> }
  /** `navigator.locks` unless given. */
  readonly locks?: Locks
}

/**
 * Calls that survive a reload until the server has answered.
 *
 * @example
 * const show = ({ pending }: Outbox): void => console.log(`${pending.value} changes are not sent yet`)
 */
export interface Outbox {
  /** Resolves when the calls of earlier sessions have been made again. Never rejects. */
  readonly restored: Promise<void>
  /** How many calls wait for their answer. */
  readonly pending: ReadonlySignal<number>
  /** Ends it. Calls that were made are sent now. What is stored stays for the next session, with the same keys. */
  readonly dispose: () => Promise<void>
}

/** Milliseconds before a call is sent again, doubled with each failure. */
const BACKOFF = 1000
const BACKOFF_LIMIT = 60_000
/** Milliseconds between two looks for calls of tabs that are gone. */
const LOOK = 30_000

/** The time that a tab may need to be reloaded. */
const RELOAD = 3000

/** A call as it is stored. */
interface StoredCall {
  readonly patchcord: 1
  readonly id: string
  /** The tab that sends it. */
  readonly owner: string
  /** Its position in the order. */
  readonly n: number
  readonly endpoint: string
  readonly args: readonly unknown[]
  /** The value of the header `Idempotency-Key`, the same for every attempt. */
  readonly key: string
}

interface OutboxEntry {
  stored: StoredCall
  isStored: boolean
  isSending: boolean
  call: CallAction['call'] | undefined
  /** The request, once nothing else is to be waited for. */
  action: FetchAction | undefined
}

/**
 * Keeps the calls of some endpoints until the server has answered: over failures, offline, and over reloads. They are
 * sent one after the other, in the order in which they were made.
 *
 * @example
 * const sendLater = (storage: OutboxOptions['storage']): Outbox => outbox(controller, { storage, endpoints: [TodoResource], onRejected: ({ error }) => console.log(error) })
 */
export function outbox(controller: Controller, options: OutboxOptions): Outbox {
  const { storage, name = 'patchcord', persisted, onRejected, isRejected = error => Endpoint.prototype.errorPolicy(error) === 'hard', locks = systemLocks() } = options
  const { clock, platform, report } = controller
  const endpoints = endpointsIn(options.endpoints)
  const me = random()
  const entries = new Map<string, OutboxEntry>()
  const pending = signal(0)
  const owners = new Set([me])
  let n = 0
  let failures = 0
  let isStopped = false
  let hasReported = false
  /** An attempt failed, or calls were taken over: answers may be older than what others have done since. */
  let isUncertain = false
  /** How many times the storage is yet to be cleared after a reset. What is read before that belongs to the user who has logged out. */
  let clearings = 0
  let cancelRetry: (() => void) | undefined
  let release = (): void => {}

  const reportOnce = (error: unknown): void => {
    if (!hasReported) report(error)
    hasReported = true
  }
  const lockOf = (owner: string): string => `patchcord outbox ${name} ${owner}`
  const locked = new Promise<void>(resolve => {
    const hold = (): Promise<void> => (resolve(), new Promise(end => (release = end)))
    if (locks) locks.request(lockOf(me), {}, hold).catch(() => resolve())
    else resolve()
  })

  /** Storage is used one operation after the other. A call that cannot be stored stays in memory. */
  let queue: Promise<unknown> = locked
  const enqueue = (work: () => Promise<unknown>): Promise<unknown> =>
    (queue = queue.then(work).catch(reportOnce))
  const count = (): void => void (pending.value = entries.size)

  const save = (entry: OutboxEntry): void =>
    void enqueue(async () => {
      if (entries.get(entry.stored.id) !== entry) return
      // The time of the call, because the calls of several tabs are sent in one order. Later than the last one, because the clock may stand still.
      entry.stored = { ...entry.stored, n: (n = Math.max(n + 1, clock.date())) }
      try {
        await storage.write([[entry.stored.id, entry.stored]], [])
      } finally {
        entry.isStored = true
        pump()
      }
    })

  /** A call has settled. Others may have named what it created by its temporary pk. */
  const end = (entry: OutboxEntry, error?: unknown): void => {
    const { id, args } = entry.stored
    // A controller that was disposed of ends its calls, but they are not done.
    if (isStopped || entries.get(id) !== entry) return
    entries.delete(id)
    count()
    failures = 0
    if (isUncertain && entries.size === 0) controller.expireAll({ testKey: () => true })
    isUncertain &&= entries.size > 0
    const renamed: [string, StoredCall][] = []
    for (const other of entries.values()) {
      if (other.call === undefined || other.call.args === other.stored.args) continue
      other.stored = { ...other.stored, args: other.call.args }
      if (other.isStored) renamed.push([other.stored.id, other.stored])
    }
    void enqueue(async () => {
      await persisted?.flush()
      await storage.write(renamed, [id])
    })
    if (error !== undefined && !(error instanceof AbortError || error instanceof ResetError)) {
      const endpoint = endpoints.get(entry.stored.endpoint)!
      try {
        onRejected?.({ endpoint, args, error })
      } catch (failure) {
        report(failure)
      }
    }
    pump()
  }

  const retry = (): void => {
    const wait = Math.min(BACKOFF_LIMIT, BACKOFF * 2 ** Math.min(failures++, 10)) * (0.5 + Math.random() / 2)
    cancelRetry ??= clock.after(wait, () => {
      cancelRetry = undefined
      pump(true)
    })
  }
  /** Sends the first call of those that wait for no other one, when it is stored and the network is there. A timer tries it all the same: the platform may be wrong. */
  const pump = (isForced = false): void => {
    const [head] = [...entries.values()].filter(({ action }) => action).sort((a, b) => (a.isStored ? a.stored.n : Infinity) - (b.isStored ? b.stored.n : Infinity))
    if (isStopped || !head?.isStored || [...entries.values()].some(({ isSending }) => isSending) || (cancelRetry && !isForced)) return
    if (!platform.online() && !isForced) return retry()
    send(head, head.action!)
  }
  const send = (entry: OutboxEntry, action: FetchAction): void => {
    entry.isSending = true
    // Without the id of the call, so that it is not caught again.
    const attempt: FetchAction = {
      type: 'fetch',
      endpoint: withKey(action.endpoint, entry.stored.key),
      get args() {
        return action.args
      },
      key: action.key,
      signal: action.signal,
      outcome: action.outcome,
      answer: action.answer,
      fail(error) {
        entry.isSending = false
        if (isStopped || action.signal.aborted || isRejected(error)) return action.fail(error)
        isUncertain = true
        retry()
      },
    }
    controller.dispatch(attempt)
  }

  const readCalls = async (): Promise<StoredCall[]> => (await storage.read()).map(([, value]) => value).filter(isStoredCall).sort((a, b) => a.n - b.n)

  /** Makes the calls of another session again. */
  const resume = async (owner: string): Promise<void> => {
    const found = await readCalls()
    n = Math.max(n, ...found.map(each => each.n))
    const calls = found.filter(each => each.owner === owner && !entries.has(each.id) && endpoints.has(each.endpoint))
    if (calls.length === 0 || isStopped) return
    isUncertain = true
    // They go before calls to the same rows that this tab has made, in the order of the outbox.
    const options = entries.size ? { serial: { value: false } } : {}
    await storage.write(calls.map(each => [each.id, { ...each, owner: me }]), [])
    for (const stored of clearings ? [] : calls) {
      const entry: OutboxEntry = { stored: { ...stored, owner: me }, isStored: true, isSending: false, call: undefined, action: undefined }
      entries.set(stored.id, entry)
      const endpoint = Object.create(endpoints.get(stored.endpoint)!, options) as AnyEndpoint
      // Without a call it could not even be made.
      controller.requests.start(endpoint, stored.args, undefined, stored.id).catch((error: unknown) => entry.call ?? end(entry, error))
    }
    count()
  }
  /** Takes over the calls of tabs that are gone. The calls of a tab that is open are its own until it closes. */
  const adopt = async (): Promise<void> => {
    for (const { owner } of await readCalls()) {
      if (owners.has(owner) || isStopped) continue
      owners.add(owner)
      // A tab that is reloaded takes its calls itself.
      const closed = (): void => void clock.after(RELOAD, () => void (owners.delete(owner) && !isStopped && enqueue(adopt)))
      const wait = (): void => void locks?.request(lockOf(owner), {}, closed).catch(reportOnce)
      if (!locks) await resume(owner)
      else await locks.request(lockOf(owner), { ifAvailable: true }, lock => (lock ? resume(owner) : wait()))
    }
  }
  const restored = enqueue(adopt).then(() => pump())

  controller.manager((): Manager => ({
    action(action) {
      if (action.type === 'reset' && !isStopped) {
        entries.clear()
        count()
        clearings++
        void enqueue(() => storage.clear().finally(() => clearings--))
      }
      if (action.type === 'call' && !isStopped && endpoints.has(action.call.endpoint.name)) {
        const { call, outcome } = action
        const { id, endpoint, args } = call
        const known = entries.get(id)
        const entry: OutboxEntry = known ?? { stored: { patchcord: 1, id, owner: me, n: 0, endpoint: endpoint.name, args, key: random() }, isStored: false, isSending: false, call, action: undefined }
        entry.call = call
        if (!known) {
          entries.set(id, entry)
          count()
          save(entry)
        }
        outcome.then(() => end(entry), (error: unknown) => end(entry, error))
      }
      const entry = action.type === 'fetch' && action.call !== undefined ? entries.get(action.call) : undefined
      if (!entry) return false
      entry.action = action as FetchAction
      if (isStopped) send(entry, entry.action)
      else pump()
      return true
    },
    stop: () => void dispose(true),
  }))
  const unwatch = platform.watch(() => {
    const adopted = enqueue(adopt)
    if (!platform.online()) return
    cancelRetry?.()
    cancelRetry = undefined
    failures = 0
    // Those of a tab that is gone may be older.
    void adopted.then(() => pump())
  })
  /** A tab that was opened later may have been closed with calls. */
  let cancelLook = (): void => {}
  const look = (): void => {
    void enqueue(adopt)
    cancelLook = clock.after(LOOK, look)
  }
  if (locks) look()

  const dispose = async (isDisposed = false): Promise<void> => {
    if (isStopped) return
    isStopped = true
    unwatch()
    cancelRetry?.()
    cancelLook()
    if (!isDisposed) for (const entry of entries.values()) if (entry.action && !entry.isSending) send(entry, entry.action)
    await queue
    release()
    await storage.close().catch(reportOnce)
  }
  return { restored, pending, dispose: () => dispose() }
}

function random(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function isStoredCall(value: unknown): value is StoredCall {
  const { patchcord, id, owner, n, endpoint, args, key } = (value ?? {}) as Partial<StoredCall>
  return patchcord === 1 && [id, owner, endpoint, key].every(each => typeof each === 'string') && Number.isFinite(n) && Array.isArray(args)
}

/** The endpoint with the header that lets a server recognize a call that it has done already. */
function withKey(endpoint: AnyEndpoint, key: string): AnyEndpoint {
  type Getter = (this: unknown, headers: object) => HeadersInit | Promise<HeadersInit>
  const { getHeaders } = endpoint as unknown as { readonly getHeaders?: Getter }
  const value = async function (this: unknown, headers: object): Promise<HeadersInit> {
    const all = new Headers(await getHeaders?.call(this, headers))
    all.set('Idempotency-Key', key)
    return all
  }
  return Object.create(endpoint, { getHeaders: { value } }) as AnyEndpoint
}
