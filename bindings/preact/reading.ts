import { computed, effect, signal, untracked } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { options } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { readKey, ReadRequests, readStatus } from '../../src/index.ts'
import type { AnyEndpoint, Controller, ReadStatus } from '../../src/index.ts'

/** The context that a `DataProvider` gives to the components below it. */
export interface Provided {
  readonly controller: Controller
  /** Reads that components wait for, by key: a component that suspends before it was mounted loses its hooks. */
  readonly waiting: Map<string, SnapshotReading>
  /** How many of them have not settled. */
  pending: number
}

/** One read by components that suspend. Those that waited for it share it. */
export class SnapshotReading {
  /** The endpoint and arguments as they were given last: they spell the same key, but may send other headers. */
  declare endpoint: AnyEndpoint
  declare args: readonly unknown[]
  declare readonly key: string
  declare readonly status: ReadonlySignal<ReadStatus<unknown>>
  /** The value that a component depends on: another one when its data changes, or when it has to suspend or throw. */
  declare readonly view: ReadonlySignal<unknown>
  readonly #provided: Provided
  readonly #requests: ReadRequests
  #followers = 0
  #wait: Promise<void> | undefined
  #release: (() => void) | undefined
  #forget: (() => void) | undefined

  constructor(provided: Provided, endpoint: AnyEndpoint, args: readonly unknown[], key: string) {
    const { controller } = provided
    this.endpoint = endpoint
    this.args = args
    this.key = key
    this.#provided = provided
    this.#requests = new ReadRequests(controller, () => this.#release?.())
    this.status = computed(() => readStatus(controller, controller, this.endpoint, this.args))
    this.view = computed(() => (this.status.value.status === 'ready' ? this.status.value.data : this.status.value), { name: key })
  }

  get isBlocked(): boolean {
    return this.status.peek().status !== 'ready'
  }

  /** The data; or throws a promise to wait for, or an error. Not tracked. */
  take(): unknown {
    const { status, error } = this.status.peek()
    // A server renders once, and shows an error that is stored.
    if (status === 'failed' && isServer()) throw error
    if (this.isBlocked) this.#ask()
    try {
      const data = this.#requests.take(this, this.status.peek(), () => (this.#wait ??= this.#start()))
      if (!this.isBlocked) this.#forgetLater()
      return data
    } catch (thrown) {
      if (thrown !== this.#wait) this.#forgetLater()
      throw thrown
    }
  }

  /** Later, because components that waited for the same key are rendered in one turn. */
  #forgetLater(): void {
    queueMicrotask(() => this.#wait || this.#forget?.())
  }

  /** Fetches stale data, now and whenever the read was marked stale. Data that is missing is fetched when the component renders. */
  follow(): () => void {
    this.#followers++
    const stop = effect(() => void (this.status.value.status === 'ready' && untracked(() => this.#ask())))
    return () => {
      stop()
      this.#followers--
      queueMicrotask(() => this.#followers || leave(this.#provided, this.#requests))
    }
  }

  #ask(): void {
    this.#requests.ask(this.endpoint, this.args, this.status.peek())
  }

  /** The promise never rejects: a component that waited for it renders again, and shows or throws what there is. */
  #start(): Promise<void> {
    const { controller, waiting } = this.#provided
    const { cause } = this.status.peek()
    this.#forget?.()
    waiting.set(this.key, this)
    this.#provided.pending++
    return new Promise(resolve => {
      let stop = (): void => {}
      this.#release = () => {
        this.#release = this.#wait = undefined
        this.#provided.pending--
        stop()
        // A component that suspended has only this to know the outcome. It may have to wait for other reads first.
        let cancel: () => void
        const keep = (): void => {
          cancel = controller.clock.after(Math.max(100, this.endpoint.errorExpiryLength), () => (this.#provided.pending > 0 ? keep() : this.#forget?.()))
        }
        keep()
        this.#forget = () => {
          cancel()
          this.#forget = undefined
          waiting.delete(this.key)
        }
        resolve()
      }
      stop = effect(() => {
        // Marked while it waits: the component renders, and asks anew. One that was removed does not.
        const now = this.status.value
        if (now.status === 'ready' || now.cause !== cause) this.#release?.()
      })
    })
  }
}

/** Whether a page is rendered to a string or a stream: that renderer tells hooks by this flag to skip effects. */
function isServer(): boolean {
  return (options as { readonly __s?: boolean }).__s === true
}

/** Requests of a reader that may only be hidden: Preact ends its effects as well while something beside it suspends. */
function leave({ pending }: Provided, requests: ReadRequests): void {
  if (pending === 0) requests.leave()
}

/** The read for these arguments; the same while they spell the same key. Another schema may wait for it as well, but shows its own views. */
export function useReading(provided: Provided, endpoint: AnyEndpoint, args: readonly unknown[]): SnapshotReading | undefined {
  const key = readKey(endpoint, args)
  const memory = useMemo<{ reading?: SnapshotReading | undefined }>(() => ({ reading: key === undefined ? undefined : provided.waiting.get(key) }), [provided, key])
  if (key === undefined) return undefined
  currentRender()
  const { reading } = memory
  if (reading && reading.endpoint.schema === endpoint.schema) return Object.assign(reading, { endpoint, args })
  if (reading?.isBlocked) return reading
  return (memory.reading = new SnapshotReading(provided, endpoint, args, key))
}

/** Requests of a component that does not suspend. */
export function useRequests(provided: Provided, onSettled?: () => void): ReadRequests {
  const requests = useMemo(() => new ReadRequests(provided.controller, onSettled), [provided])
  useMounted(() => () => queueMicrotask(() => leave(provided, requests)), [requests])
  return requests
}

let render = 0
let isRendering = false

/** Another number once the current render has been committed or dropped. Called before a component may suspend. */
function currentRender(): number {
  if (!isRendering) {
    isRendering = true
    queueMicrotask(() => {
      render++
      isRendering = false
    })
  }
  return render
}

/**
 * Calls `begin` when the component is mounted, and the function it returns when the component is removed or `inputs`
 * change. A layout effect, because Preact cleans up the others later. A component that suspends before it was mounted
 * loses its hooks, but Preact still runs the layout effects of the hooks before the one that suspended, and never cleans
 * them up. Such an effect belongs to an earlier render, and does nothing.
 */
export function useMounted(begin: () => (() => void) | undefined, inputs: readonly unknown[]): void {
  const rendered = useRef(0)
  rendered.current = currentRender()
  let end: (() => void) | undefined
  useLayoutEffect(() => {
    if (rendered.current !== render) return undefined
    end ??= begin()
    return () => {
      end?.()
      end = undefined
    }
  }, inputs)
}

/**
 * A signal of the function that `make` returns, which is called again when `inputs` change. The signal stays the same, so
 * that computeds and effects follow the new arguments. It stands still while the component is hidden: Preact 10 removes
 * the hooks below a boundary that suspends, but leaves the texts that follow their signals.
 */
export function useReadSignal<T>(make: () => () => T, inputs: readonly unknown[], name: string | undefined): ReadonlySignal<T> {
  const hidden = useRef(0)
  const times = hidden.current
  const read = useMemo(() => {
    const now = make()
    let last: T | undefined
    return () => (hidden.current === times || last === undefined ? (last = now()) : last)
  }, [times, ...inputs])
  const { source, value, hide } = useMemo(() => {
    const source = signal(read)
    return { source, value: computed(() => source.value()), hide: () => () => void hidden.current++ }
  }, [])
  source.value = read
  useLayoutEffect(hide, [])
  return Object.assign(value, { name })
}
