import { Immer, type Patch } from 'immer'

/**
 * The one place where Immer lives: drafts for user updaters.
 * The instance is our own, so that nothing an application switches on in its Immer reaches us and the reverse.
 */
let instance: Immer | undefined

/** Made on first use: an import must not do work, and many applications never get here. */
function immer(): Immer {
  // What comes out is taken in by `own`, which freezes once; Immer freezing too would pay twice.
  return (instance ??= new Immer({ autoFreeze: false }))
}

/** `base` after `recipe` changed its draft, or what `recipe` returned. `base` is never written to. */
export function produceRecord(base: object, recipe: (draft: never) => unknown): unknown {
  return immer().produce(base, recipe as (draft: object) => object | void)
}

/**
 * One change of a document: Immer's own.
 *
 * @example
 * const patch: Patch = { op: 'replace', path: ['entities', 'Todo', '1', 'done'], value: true }
 */
export type { Patch }
