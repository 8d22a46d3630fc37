import { batch, createComputed, createMemo, createResource, createRoot, createSignal, getListener, getOwner, onCleanup, onMount, sharedConfig, startTransition, untrack } from 'solid-js'
import { isServer } from 'solid-js/web'
import type { Source, Tracker } from '../../src/index.ts'

// Everything that this binding needs of Solid's reactive core.

export { createSignal, onCleanup, untrack } from 'solid-js'
export { isServer } from 'solid-js/web'

/** A source whose signal holds it: a dependent of the signal keeps it, and so its owner. */
class SolidSource implements Source {
  declare readonly owner: object | undefined
  declare readonly track: () => unknown
  readonly #write: (next: () => unknown) => unknown

  constructor(owner: object | undefined) {
    this.owner = owner
    ;[this.track, this.#write] = createSignal<unknown>(this, { equals: false })
  }

  trigger(): void {
    this.#write(() => this)
  }
}

/** Live objects for Solid's effects, memos and templates. It refers to the owner, because nothing else keeps a mounted page that only shows data from being garbage collected. */
export const createTracker = (): Tracker => ({
  owner: getOwner(),
  isTracking: () => getListener() !== null,
  source: owner => new SolidSource(owner),
  untracked: untrack,
  batch,
  memo<T>(compute: () => T): () => T {
    let readers = 0
    let shared: { readonly read: () => T; readonly dispose: () => void } | undefined
    return () => {
      if (getListener() === null) return untrack(shared?.read ?? compute)
      // Without an owner, because all readers share it: it is disposed of with the last of them.
      shared ??= createRoot(dispose => {
        const outcome = createMemo(() => attempt(compute))
        return { read: () => given(outcome()), dispose }
      }, null)
      readers++
      onCleanup(() =>
        // Later, because a reader that runs again cleans up first and reads it again at once.
        queueMicrotask(() => {
          if (--readers) return
          shared!.dispose()
          shared = undefined
        }),
      )
      return shared.read()
    }
  },
}) as Tracker

/** The result of `compute`, or its error for `given` to throw: a memo would throw to the boundary of its creator, not of its reader. */
export function attempt<T>(compute: () => T): T | Failure {
  try {
    return compute()
  } catch (error) {
    return Object.assign(new Failure(), { cause: error })
  }
}

export function given<T>(outcome: T | Failure): T {
  if (outcome instanceof Failure) throw throwable(outcome.cause)
  return outcome
}

export class Failure {
  declare readonly cause: unknown
}

/** A memo. A server renders once, and computes each time. */
export function memo<T>(compute: (before?: T) => T): () => T {
  return isServer ? compute : createMemo(compute)
}

/** Whether a transition is running: Solid runs more work of it at once, and that of a new one later. */
export function inTransition(): boolean {
  // A server runs everything at once, and has no transitions.
  let atOnce = !isServer
  let found = false
  void startTransition(() => void (found = atOnce))
  atOnce = false
  return found
}

/** Calls `effect` with each value of `source`, and with the one before it, while the owner lives; the function it returns is called before the next time and at the end. Not on a server. */
export function follow<T>(source: () => T, effect: (now: T, before?: T) => (() => void) | void): void {
  if (isServer) return
  createComputed<T | undefined>(before => {
    const now = source()
    onCleanup(untrack(() => effect(now, before)) ?? (() => {}))
    return now
  })
}

/** Calls `work`; while the page is hydrated, afterwards: until then it has to render what the server sent. */
export function hydrated(work: () => void): void {
  if (sharedConfig.context) onMount(work)
  else work()
}

/** The value of a signal of the core, tracked while the owner lives. */
export function fromSignal<T>(signal: { peek(): T; subscribe(listener: (value: T) => void): () => void }): () => T {
  const [value, set] = createSignal(signal.peek())
  if (!isServer) onCleanup(signal.subscribe(next => void set(() => next)))
  return value
}

/** A reader suspends, from when there is nothing to show until there is something. */
export class Wait {
  declare readonly cause: string
  /** Whether there is something to show. */
  isOver = false
  /** Whether its request failed; undefined while that is open. False once the reader has turned to another wait: its request was aborted for that, which is no failure, and a transition may lead back here. */
  declare isFailed: boolean | undefined
  declare end: () => void
  readonly #ended = new Promise<void>(resolve => {
    this.end = () => resolve(void (this.isOver = true))
  })

  constructor(cause: string, before?: Wait) {
    this.cause = cause
    if (before) before.isFailed ??= false
  }

  /** Settles with `loading`, or earlier with `end`. */
  until(loading: Promise<unknown>): Promise<unknown> {
    return Promise.race([loading, this.#ended]).catch((error: unknown) => {
      this.isFailed ??= true
      throw error
    })
  }
}

/**
 * Returns a function whose caller suspends while `due` returns a wait and `load` is pending. It carries no data,
 * because Solid writes the value of a resource into the page. It throws the error of `load`.
 */
export function createToken(due: (before?: Wait) => Wait | undefined, load: () => Promise<unknown>): () => void {
  const wait = memo<Wait | undefined>(due)
  const [token, { refetch }] = createResource(
    wait,
    // On a server the reader throws the error.
    now => now.isOver || (isServer ? load().catch(() => {}) : now.until(load())).then(() => true),
    // The server has answered, but its data did not come with the page.
    { onHydrated: () => void (token.state === 'ready' && untrack(wait)?.isOver === false && refetch()) },
  )
  // A resource that a server never loaded keeps the reads that depend on it from loading.
  if (isServer) return () => void (wait() && token())
  return () => {
    const reader = getListener()
    // User effects do not suspend.
    if (reader && !reader.user) holdBoundary(token)
    // Only the error is tracked: the start and end of the wait are no reason to run.
    if (token.error !== undefined) untrack(token)
  }
}

/**
 * Suspends the boundary of the running computation until `token` is loaded. The computation that waits has no owner: as
 * a child of the reader it would make Solid run the reader first, and in a transition that shows data too early.
 */
function holdBoundary(token: () => unknown): void {
  const nobody = { owned: null, cleanups: null, owner: null, context: getOwner()!.context }
  onCleanup(
    createRoot(dispose => {
      // The reader throws the error.
      createComputed(() => void attempt(token))
      return dispose
    }, nobody),
  )
}

/** The error to throw. On a server a copy, because Solid writes it into the page, with its stack and the response in it. It has no class, as in the page. */
export function throwable(error: unknown): unknown {
  if (!isServer || !(error instanceof Error)) return error
  const { message, name, code, status } = error as Error & { readonly code?: string; readonly status?: number }
  return Object.assign(new Error(message), { name, code, status, stack: '' })
}
