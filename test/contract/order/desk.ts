import { Controller, type AnyEndpoint, type Commit, type FetchAction, type Manager, type Patch, type StampGroup, type State } from '../../../src/index.ts'
import { calls, reads } from '../../laws/order/shop.ts'
import { readResult, readRow, readStamp } from '../../support/state.ts'

/** A call to the server. `action` is its request, once that has gone out. */
export interface Sent {
  action: FetchAction | undefined
}

/** A controller whose requests are answered by hand, in any order, and short words for what happens there. */
export class Desk {
  readonly errors: unknown[] = []
  readonly commits: Commit[] = []
  readonly controller: Controller
  time = 1000
  #base: State
  #read?: FetchAction
  readonly #calls = new Map<AnyEndpoint, Sent>()

  constructor() {
    const manager: Manager = {
      action: action => {
        if (action.type !== 'fetch') return false
        const call = this.#calls.get(action.endpoint)
        if (call === undefined) this.#read = action
        else {
          // Asked for when the request goes out.
          void action.args
          call.action = action
        }
        return true
      },
    }
    this.controller = new Controller({
      clock: { now: () => 0, date: () => this.time, after: () => () => {} }, gc: false, revalidateOverlap: false, managers: [manager], onError: error => void this.errors.push(error),
    })
    this.#base = this.controller.snapshot()
    this.controller.subscribePatches(commit => {
      this.commits.push(commit)
      this.#base = commit.base.after
    })
  }

  /** What is shown, and what of it the server has confirmed. */
  get store(): { readonly state: State; readonly base: State } {
    return { state: this.controller.snapshot(), base: this.#base }
  }

  /** The server says something, here and now. */
  receive(endpoint: AnyEndpoint, value: unknown, ...args: unknown[]): void {
    this.controller.setResponse(endpoint, ...([...args, value] as never))
  }

  /** A read goes out. Reads of one key would share a request, unless the first no longer counts. */
  begin(endpoint: AnyEndpoint, ...args: unknown[]): FetchAction {
    this.controller.invalidate(endpoint, ...args)
    void this.controller.fetch(endpoint, ...args)
    return this.#read!
  }

  land(read: FetchAction, value: unknown): void {
    read.answer(value)
  }

  leave(read: FetchAction): void {
    read.fail(new Error('lost'))
  }

  call(name: keyof typeof calls, ...args: unknown[]): Sent {
    return this.send(calls[name], args)
  }

  send(endpoint: AnyEndpoint, args: readonly unknown[]): Sent {
    const call: Sent = { action: undefined }
    const own = (endpoint as unknown as { extend(options: object): AnyEndpoint }).extend({})
    this.#calls.set(own, call)
    void this.controller.fetch(own, ...args).catch(() => {})
    return call
  }

  settle(call: Sent, value: unknown): void {
    call.action!.answer(value)
  }

  fail(call: Sent): void {
    call.action!.fail(new Error('lost'))
  }

  set(schema: unknown, args: unknown, value: unknown): void {
    this.controller.set(schema, args, value as object)
  }

  /** Another tab says what it did. */
  apply({ patches, stamps }: { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] }, origin: string): void {
    this.controller.applyPatches(patches, { origin, stamps })
  }

  row(id: string, state: State = this.store.state): Record<string, unknown> | undefined {
    return readRow(state, 'Todo', id) as Record<string, unknown> | undefined
  }

  list(state: State = this.store.state): readonly unknown[] | undefined {
    return readRow(state, '[Todo]', '{}') as readonly unknown[] | undefined
  }

  result(key: string): unknown {
    return readResult(this.store.state, key)
  }

  deleted(id: string, state: State = this.store.state): boolean {
    return readStamp(state, 'Todo', id)?.deleted === true
  }
}

export { calls, reads }
