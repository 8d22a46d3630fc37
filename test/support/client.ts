import { Controller, Endpoint, type State } from '../../src/index.ts'

/** A controller that takes responses in one after the other; nothing is fetched. */
export class Client {
  readonly controller: Controller

  constructor(initialState?: State) {
    this.controller = new Controller({ gc: false, ...(initialState && { initialState }) })
  }

  /** Takes a response in, as the answer to a mutation; gives the state after it. */
  write(schema: unknown, input: unknown, args: readonly unknown[] = []): State {
    const endpoint = new Endpoint((): Promise<unknown> => Promise.resolve(input), { name: 'write', schema, sideEffect: true })
    this.controller.setResponse(endpoint as never, ...([...args, input] as never))
    return this.controller.snapshot()
  }
}
