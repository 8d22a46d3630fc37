import { effect } from '@preact/signals-core'
import { Controller, createResource, ReadRequests, readStatus, type AnyEndpoint, type ControllerOptions } from '../../../src/index.ts'
import { connect, type ConnectOptions, type PushMessage } from '../../../src/push/index.ts'
import { createClock, mockFetch, type MockRoutes } from '../../../src/testing/index.ts'
import { Todo, User } from '../../support/todo.ts'
import { eventTurns, until as untilWithin } from '../../support/waiting.ts'
import { createPlatform, pass as wind, type HandPlatform } from '../managers/world.ts'

export { Todo, User }

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true, searchParams: {} as { done?: boolean } })

/** A message with a record, or a part of one. */
export const upsert = (value: object, id = '1', entity = 'Todo'): PushMessage => ({ id, type: 'upsert', entity, value }) as PushMessage

/** A stream that the test writes. */
export class Wire {
  /** The last id of every connection that was opened, in order. */
  readonly opened: (string | undefined)[] = []
  #messages: unknown[] = []
  #wake = (): void => {}
  readonly #stop = (): void => this.#wake()
  #end: { readonly error?: unknown } | undefined
  signal!: AbortSignal

  readonly source = async function* (this: Wire, lastId: string | undefined, signal: AbortSignal): AsyncGenerator {
    this.opened.push(lastId)
    this.signal = signal
    this.#messages = []
    this.#end = undefined
    while (!signal.aborted) {
      while (this.#messages.length > 0) yield this.#messages.shift()
      const end = this.#end as { readonly error?: unknown } | undefined
      if (end?.error) throw end.error as Error
      if (end) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
        signal.addEventListener('abort', this.#stop)
      })
    }
  }.bind(this)

  send(...messages: unknown[]): void {
    for (const message of messages) this.#messages.push(message)
    this.#wake()
  }

  drop(error?: unknown): void {
    this.#end = { error }
    this.#wake()
  }
}

/** A reader that is on screen: asks whenever it has to, as a component does. */
export function effectOf<E extends AnyEndpoint>(controller: Controller, endpoint: E, ...args: Parameters<E>) {
  const requests = new ReadRequests(controller)
  let data: unknown
  const stop = effect(() => {
    const status = readStatus(controller, controller, endpoint, args)
    data = status.data
    requests.ask(endpoint, args, status)?.catch(() => {})
  })
  const leave = (): void => {
    stop()
    requests.leave()
  }
  return { data: () => data, stop: leave }
}

/** Lets what is decided happen: promises, and tasks after them. */
export const settle = (): Promise<void> => eventTurns(8)

/** Waits in real time, also for a connection that is made again. */
export const until = (holds: () => boolean, what?: () => string): Promise<void> => untilWithin(holds, what, 20_000)

type Options = ControllerOptions & { readonly platform?: HandPlatform }

/** A controller and a stream whose clock, platform, server and messages the test moves. `routes` may be changed. */
export function set(options: Partial<ConnectOptions> = {}, { platform = createPlatform(), ...others }: Options = {}) {
  const clock = createClock(1_700_000_000_000)
  const todos = [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'reap', done: false }]
  const routes: MockRoutes = { 'GET /todos': { body: todos }, 'GET /todos/1': { body: todos[0] }, 'GET /todos/2': { body: todos[1] } }
  const fetch = mockFetch(routes, { clock })
  const errors: Error[] = []
  const controller = new Controller({ clock, platform, fetch, retry: false, onError: error => void errors.push(error as Error), ...others })
  const wire = new Wire()
  let commits = 0
  controller.subscribePatches(() => void commits++)
  const stream = connect(controller, { source: wire.source, types: { Todo, User, newTodo: TodoResource.getList.push.schema }, ...options })
  const pass = (ms: number): Promise<void> => wind(clock, ms, Math.max(100, ms / 20), settle)
  return {
    clock, platform, fetch, routes, controller, wire, stream, errors, pass,
    commits: () => commits,
    todo: (id: number) => controller.get(Todo, { id }),
    /** The ids of the list that these arguments find. */
    list: (args: { done?: boolean } = {}) => controller.getResponse(TodoResource.getList, args).data?.map(({ id }) => id),
    /** What was asked of the server. */
    asked: () => fetch.calls.map(({ method, url }) => `${method} ${url}`),
    /** Sends messages, and waits until they are in the store. */
    send(...messages: (PushMessage | string)[]): Promise<void> {
      wire.send(...messages)
      return pass(20)
    },
  }
}
export type Setting = ReturnType<typeof set>
