import { enablePatches, Immer, type Patch } from 'immer'

/**
 * The one place where Immer lives: drafts for user updaters, and foreign patches that go deeper than a field.
 * The instance is our own, so that nothing an application switches on in its Immer reaches us and the reverse.
 */
let instance: Immer | undefined

/** Made on first use: an import must not do work, and many applications never get here. */
function immer(): Immer {
  if (instance === undefined) {
    enablePatches()
    // What comes out is taken in by `own`, which freezes once; Immer freezing too would pay twice.
    instance = new Immer({ autoFreeze: false })
  }
  return instance
}

/** `base` after `recipe` changed its draft, or what `recipe` returned. `base` is never written to. */
export function produceRecord(base: object, recipe: (draft: never) => unknown): unknown {
  return immer().produce(base, recipe as (draft: object) => object | void)
}

/** `base` after `patches`, whose paths begin at `base`. */
export function patchRecord(base: object, patches: readonly Patch[]): unknown {
  return immer().applyPatches(base, patches)
}

export type { Patch }
