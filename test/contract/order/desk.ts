import type { Test } from 'uvu'
import { Controller } from '../../../src/index.ts'
import type { AnyEndpoint, Commit, FetchAction, Manager, Patch, StampGroup, State } from '../../../src/index.ts'
import { calls, extend, reads } from '../../laws/order/shop.ts'
import { readResult, readRow, readStamp } from '../../support/state.ts'

/** A call to the server. `action` is its request, once that has gone out. */
export interface Sent {
  action: FetchAction | undefined
}

type Fields = { readonly [field: string]: unknown }

/** A controller whose requests are answered by hand, in any order, and short words for what happens there. */
export class Desk {
  readonly errors: unknown[] = []
  readonly commits: Commit[] = []
  readonly controller: Controller
  time = 1000
  #base: State
  #read?: FetchAction
  readonly #calls = new Map<AnyEndpoint, Sent>()

  constructor(revalidateOverlap = false) {
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
    const clock = { now: () => 0, date: () => this.time, after: () => () => {} }
    const onError = (error: unknown): void => void this.errors.push(error)
    this.controller = new Controller({ clock, gc: false, revalidateOverlap, managers: [manager], onError })
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

  /** Everything that is shown is confirmed. */
  get isSettled(): boolean {
    return this.store.base === this.store.state
  }

  /** The server says something, here and now. */
  receive(endpoint: AnyEndpoint, value: unknown, ...args: unknown[]): void {
    this.controller.setResponse(endpoint, ...([...args, value] as never))
  }

  /** The server says what a row is. */
  receiveRow(row: Fields & { readonly id: string }): void {
    this.receive(reads.get, row, { id: row.id })
  }

  /** A read goes out. Reads of one key would share a request, unless the first no longer counts. */
  begin(endpoint: AnyEndpoint, ...args: unknown[]): FetchAction {
    this.controller.invalidate(endpoint, ...args)
    void this.controller.fetch(endpoint, ...args)
    return this.#read!
  }

  call(name: keyof typeof calls, ...args: unknown[]): Sent {
    return this.send(calls[name], ...args)
  }

  send(endpoint: AnyEndpoint, ...args: unknown[]): Sent {
    const call: Sent = { action: undefined }
    const own = extend(endpoint, {})
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
  apply(patches: readonly Patch[], origin = 'tab', stamps: readonly StampGroup[] = []): void {
    this.controller.applyPatches(patches, { origin, stamps })
  }

  row(id: string, state: State = this.store.state): Fields | undefined {
    return readRow(state, 'Todo', id) as Fields | undefined
  }

  list(args: object = {}, state: State = this.store.state): readonly string[] | undefined {
    return readRow(state, '[Todo]', JSON.stringify(args)) as readonly string[] | undefined
  }

  result(key: string): unknown {
    return readResult(this.store.state, key)
  }

  deleted(id: string): boolean {
    return readStamp(this.store.state, 'Todo', id)?.deleted === true
  }
}

/** Tests with a desk of their own each. */
export const onDesk =
  (test: Test) =>
  (title: string, check: (desk: Desk) => void | Promise<void>): void => test(title, () => check(new Desk()))

export { calls, extend, reads }
