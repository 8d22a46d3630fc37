import { h, render, type ComponentChild } from 'preact'
import { act } from 'preact/test-utils'
import { DataProvider } from '../../../bindings/preact/index.ts'
import { BaseStage } from './baseStage.ts'
import { shows } from './wire.ts'

export { Todo } from './todo.ts'

/** With a container to render into. */
export class Stage extends BaseStage {
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

  /** Waits until this is on the page. */
  async shows(text: string): Promise<void> {
    await shows(() => this.text, text)
  }

  /** The answer arrives, and the page shows `text`. */
  arrives(id: string, title: string, text: string): Promise<void> {
    return this.answer(id, title).then(() => this.shows(text))
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
