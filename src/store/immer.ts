import { Immer, type Patch } from 'immer'
import { isObject } from '../base/plain.ts'

/** Our own instance: what an application configures in its Immer does not reach us, nor the reverse. Made on first use. */
let instance: Immer | undefined

/** `base` after `recipe` changed its draft, or the object that `recipe` returned. The caller freezes the outcome. */
export function produceRecord(base: object, recipe: (draft: never) => unknown): unknown {
  instance ??= new Immer({ autoFreeze: false })
  // Ignore other results: `todo => todo.done = true` returns `true`, which Immer would refuse.
  return instance.produce(base, draft => [recipe(draft as never)].find(isObject))
}

/**
 * One change of a document: Immer's own type.
 *
 * @example
 * const patch: Patch = { op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }
 */
export type { Patch }
