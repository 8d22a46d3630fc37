import { h, render, type ComponentChild } from 'preact'
import { act } from 'preact/test-utils'
import { DataProvider } from '../../../bindings/preact/index.ts'
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { createClock, type HandClock } from '../../../src/testing/index.ts'
import { Wire } from './wire.ts'

export class Todo extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Todo'
}

export const { get, getList, partialUpdate, delete: remove } = createResource({ path: '/todos/:id', schema: Todo })

export const rowsOf = (count: number): { id: string; title: string; done: boolean }[] =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), title: `title ${n}`, done: false }))

/** A controller, a network in our hands, and a container to render into. */
export class Stage {
  readonly wire: Wire = new Wire()
  readonly clock: HandClock = createClock(1e12)
  /** Without collection, whose timers come and go with the data. */
  readonly controller: Controller = new Controller({ fetch: this.wire.fetch, clock: this.clock, retry: false, gc: false })
  readonly page: HTMLElement = document.createElement('div')

  /** Draws below a provider, and flushes. */
  show(node: ComponentChild): void {
    this.draw(h(DataProvider, { controller: this.controller, children: node }))
  }

  draw(node: ComponentChild): void {
    void act(() => render(node, this.page))
  }

  get text(): string {
    return this.page.textContent ?? ''
  }

  end(): void {
    this.draw(null)
    this.controller.dispose()
  }
}

/** What happens to the DOM below `node` while `work` is done, and for some microtasks after it. */
export async function mutations(node: HTMLElement, work: () => void): Promise<MutationRecord[]> {
  const seen: MutationRecord[] = []
  const observer = new (node.ownerDocument.defaultView!.MutationObserver)(records => void seen.push(...records))
  observer.observe(node, { subtree: true, childList: true, characterData: true, attributes: true })
  work()
  await settle()
  seen.push(...observer.takeRecords())
  observer.disconnect()
  return seen
}

/** Long enough for renders, and for signals in JSX, which write a moment later. */
export const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5))
