import { Immer, type Patch } from 'immer'

/** Our own instance: what an application configures in its Immer does not reach us, nor the reverse. Made on first use. */
let instance: Immer | undefined

/** `base` after `recipe` changed its draft, or what `recipe` returned. The caller freezes the outcome. */
export function produceRecord(base: object, recipe: (draft: never) => unknown): unknown {
  instance ??= new Immer({ autoFreeze: false })
  return instance.produce(base, recipe as (draft: object) => object | void)
}

/**
 * One change of a document: Immer's own type.
 *
 * @example
 * const patch: Patch = { op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }
 */
export type { Patch }
