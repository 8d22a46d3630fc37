import { batch, createComputed, createMemo, createResource, createRoot, createSignal, getListener, getOwner, onCleanup, onMount, runWithOwner, sharedConfig, startTransition, untrack } from 'solid-js'
import { isServer } from 'solid-js/web'
import type { Source, Tracker } from '../../index.ts'
import type { Wait } from './wait.ts'

// All that this binding asks of Solid's reactive core, so that another core needs another file and nothing else.

export { createSignal, onCleanup } from 'solid-js'
export { isServer } from 'solid-js/web'

/** A source whose signal holds it: whoever depends on the signal keeps it, and so its owner. */
class SolidSource implements Source {
  readonly owner: object | undefined
  readonly track: () => unknown
  readonly #write: (next: (source: unknown) => unknown) => unknown

  constructor(owner: object | undefined) {
    this.owner = owner
    ;[this.track, this.#write] = createSignal<unknown>(this, UNEQUAL)
  }

  trigger(): void {
    this.#write(same)
  }
}

const UNEQUAL = { equals: false } as const
const same = (source: unknown): unknown => source

/** Live objects for Solid's effects, memos and templates. */
export const solidTracker: Tracker = {
  isTracking: () => getListener() !== null,
  source: owner => new SolidSource(owner),
  untracked: untrack,
  batch,
  memo<T>(compute: () => T): () => T {
    let readers = 0
    let shared: { readonly read: () => T; readonly dispose: () => void } | undefined
    return () => {
      if (getListener() === null) return untrack(shared?.read ?? compute)
      // Nobody's own, because all who read it share it: it goes with the last of them.
      shared ??= createRoot(dispose => ({ read: guarded(compute), dispose }), null)
      readers++
      onCleanup(() =>
        // Later, because who runs again cleans up first and reads it again at once.
        queueMicrotask(() => {
          if (--readers > 0) return
          shared?.dispose()
          shared = undefined
        }),
      )
      return shared.read()
    }
  },
}

/** A memo whose readers are thrown what `compute` throws. It has no boundary of its own, and would take all that runs with it. */
function guarded<T>(compute: () => T): () => T {
  const outcome = createMemo(() => attempt(compute))
  return () => given(outcome())
}

/** What `compute` gives or throws, for `given` to give or throw where it is read: a memo would throw to the boundary of who made it. */
export function attempt<T>(compute: () => T): T | Failure {
  try {
    return compute()
  } catch (error) {
    return new Failure(error)
  }
}

export function given<T>(outcome: T | Failure): T {
  if (outcome instanceof Failure) throw throwable(outcome.error)
  return outcome
}

export class Failure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** What `compute` gives; who reads it runs again only when it gives something else. A server renders once, and looks anew. */
export function memo<T>(compute: (before?: T) => T, equals?: (before: T, now: T) => boolean): () => T {
  return isServer ? compute : createMemo(compute, undefined, equals && { equals })
}

/** A memo that is made when it is first read: few ask for all that a reading can tell. */
export function lazyMemo<T>(compute: () => T): () => T {
  const owner = getOwner()
  let made: (() => T) | undefined
  return () => (made ??= runWithOwner(owner, () => memo(compute))!)()
}

/** Whether it is a transition that runs: more work of it is done at once, that of a new one later. */
export function inTransition(): boolean {
  let atOnce = true
  let found = false
  void startTransition(() => void (found = atOnce))
  atOnce = false
  return found
}

/**
 * Calls `effect` with what `source` gives, now and whenever it changes, for as long as the owner lives; what it returns
 * is called before the next time and at the end. Not on a server.
 */
export function follow<T>(source: () => T, effect: (now: T, before: T | undefined) => (() => void) | void): void {
  if (isServer) return
  createComputed<T | undefined>(before => {
    const now = source()
    const undo = untrack(() => effect(now, before))
    if (undo) onCleanup(undo)
    return now
  })
}

/** Calls `work`; where the page is being hydrated, after that: until then it has to be as the server has sent it. */
export function hydrated(work: () => void): void {
  if (sharedConfig.context) onMount(work)
  else work()
}

/** What a signal of the core holds, followed for as long as the owner lives. */
export function fromSignal<T>(signal: { peek(): T; subscribe(listener: (value: T) => void): () => void }): () => T {
  const [value, set] = createSignal(signal.peek())
  if (!isServer) onCleanup(signal.subscribe(next => void set(() => next)))
  return value
}

/**
 * Whoever calls what this returns waits, in Solid's sense, while `due` gives something and `load` has not come to an
 * end. It carries no data, because what a resource holds is written into the page; what it throws is why loading failed.
 */
export function createToken(due: (before?: Wait) => Wait | undefined, load: () => Promise<unknown>): () => void {
  const wait = memo<Wait | undefined>(due)
  const [token, { refetch }] = createResource(
    wait,
    // On a server the reader throws what went wrong, and the page is told by its boundary.
    now => (isServer ? load().catch(() => {}) : now.until(load())).then(() => TOKEN),
    // The server was done, and yet its data did not come with the page.
    { onHydrated: () => void (token.state === 'ready' && untrack(wait)?.over === false && refetch()) },
  )
  // A server's resource that was never asked for keeps all that depend on it from asking.
  if (isServer) return () => void (wait() && token())
  return () => {
    const reader = getListener()
    // Effects of the user's do not wait.
    if (reader && !reader.user) holdBoundary(token)
    // Only why it failed is followed: that somebody waits, and no longer does, is no reason to run.
    if (token.error !== undefined) untrack(token)
  }
}

/**
 * The boundary of whoever is running waits for `token`. What waits belongs to nobody: as a child of the reader it would
 * have Solid run the reader first, and in a transition that shows what is only to come.
 */
function holdBoundary(token: () => unknown): void {
  const nobody = { owned: null, cleanups: null, owner: null, context: getOwner()!.context }
  onCleanup(
    createRoot(dispose => {
      createComputed(() => {
        try {
          token()
        } catch {
          // The reader throws it.
        }
      })
      return dispose
    }, nobody),
  )
}

const TOKEN = 1

/** What to throw of an error. Solid's server writes it into the page, with its stack, and with the headers and the body of a response that hangs on it. */
export function throwable(error: unknown): unknown {
  if (!isServer || !(error instanceof Error)) return error
  return Object.assign(new Error(error.message), { name: error.name, stack: '' })
}
