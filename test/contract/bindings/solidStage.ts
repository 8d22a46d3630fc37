import type { JSX } from 'solid-js'
import { insert } from 'solid-js/web'
import type { Test } from 'uvu'
import { withDom } from '../../support/dom.ts'
import { BaseStage } from './baseStage.ts'
import type { Mounted } from './framework.ts'
import { mountSolid } from './solidFramework.ts'

/** With pages that end with the test. */
export class Stage extends BaseStage {
  readonly screens: Mounted[] = []

  mount(App: () => JSX.Element): Mounted {
    const screen = mountSolid(this.controller, App)
    this.screens.push(screen)
    return screen
  }

  end(): void {
    for (const screen of this.screens) screen.unmount()
    this.controller.dispose()
  }
}

/** Gives every test of a suite a DOM, and a stage of its own. */
export function withStage(test: Test, use: (stage: Stage) => void): void {
  let stage: Stage
  withDom(test)
  test.before.each(() => use((stage = new Stage())))
  test.after.each(() => stage.end())
}

/** A text that follows `read`. */
export const text = (read: () => unknown): JSX.Element => read as unknown as JSX.Element

/** What Solid's compiler makes of `<p>{read()}</p>`. */
export function paragraph(read: () => unknown): HTMLElement {
  const made = document.createElement('p')
  insert(made, read as () => JSX.Element)
  return made
}
