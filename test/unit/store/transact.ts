import { applyPatches } from '../../../src/index.ts'
import type { Patch, StampGroup } from '../../../src/index.ts'
import { Draft } from '../../../src/store/draft.ts'
import type { Store } from '../../../src/store/store.ts'

/** Lets `write` work on a draft of the next version of a store that has nothing else over it. What it throws leaves everything as it was. */
export function transact<T>(store: Store, write: (draft: Draft) => T): T {
  const draft = new Draft(store.state)
  let given: T
  try {
    given = write(draft)
  } catch (error) {
    draft.abandon()
    throw error
  }
  const next = draft.finish()
  store.advance(next, next, { cause: 'test' })
  return given
}

/** Applies `patches` to a store that has nothing else over it, all or none. */
export function commit(store: Store, patches: readonly Patch[], stamps: readonly StampGroup[] = []): void {
  const next = applyPatches(store.state, patches, stamps)
  store.advance(next, next, { cause: 'commit' })
}
