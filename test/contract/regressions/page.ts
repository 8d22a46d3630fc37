import { effect } from '@preact/signals-core'
import { Controller, createResource, Entity, type ControllerOptions } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { Wire } from '../bindings/wire.ts'
import { settle } from '../managers/world.ts'

export class Todo extends Entity {
  id = ''
  title = ''
  n = 0
  tags: readonly string[] = []
  static override key = 'Todo'
}

export const { get, getList, update, partialUpdate, delete: remove } = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })

/** A controller, a network in the hands of the test, and time that stands still. */
export interface Page {
  readonly controller: Controller
  readonly wire: Wire
  readonly clock: HandClock
  /** What was reported. */
  readonly reported: unknown[]
}

export function open(options: ControllerOptions = {}): Page {
  const wire = new Wire()
  const clock = createClock(1e12)
  const reported: unknown[] = []
  return { controller: new Controller({ fetch: wire.fetch, clock, retry: false, onError: error => void reported.push(error), ...options }), wire, clock, reported }
}

/** The same, and the todo `1` is there. */
export function begun(options: ControllerOptions = {}): Page {
  const page = open(options)
  page.controller.setResponse(get, { id: '1' }, { id: '1', title: 'old', n: 1 })
  return page
}

/** Forty minutes, in which everything goes that can go. */
export async function minutes(clock: HandClock): Promise<void> {
  for (let i = 0; i < 5; i++) {
    clock.advance(480_000)
    await settle()
    // A cell goes when no version of the state that somebody holds can have it: only the engine knows.
    globalThis.gc?.()
  }
}

export const titleOf = ({ controller }: Page, id = '1'): string | undefined => controller.get(Todo, { id })?.title

/** What a reader has seen. */
export function seen<T>(read: () => T): T[] {
  const values: T[] = []
  effect(() => void values.push(read()))
  return values
}
