import { Controller } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { get, Todo } from './todo.ts'
import { Wire } from './wire.ts'

/** A controller, a network in our hands, and time that stands still. */
export class BaseStage {
  readonly wire: Wire = new Wire()
  readonly clock: HandClock = createClock(1e12)
  readonly reported: unknown[] = []
  /** Without collection, whose timers come and go with the data. */
  readonly controller: Controller = new Controller({ fetch: this.wire.fetch, clock: this.clock, retry: false, gc: false, onError: error => void this.reported.push(error) })

  async answer(id: string, title: string, status = 200): Promise<void> {
    await this.wire.answer(`/todos/${id}`, { id, title }, status)
  }

  /** As if it had been fetched. */
  store(id: string, title: string): void {
    this.controller.setResponse(get, { id }, { id, title })
  }

  retitle(id: string, title: string): void {
    this.controller.set(Todo, { id }, todo => void (todo.title = title))
  }

  expireAll(): void {
    this.controller.expireAll({ testKey: () => true })
  }
}
