import { Call } from '../../src/order/call.ts'
import type { Intent } from '../../src/order/intent.ts'

/** How many calls show an optimistic answer. */
export function layersOf({ intents }: { readonly intents: Iterable<Intent> }): number {
  return [...intents].filter(intent => intent instanceof Call && intent.optimistic).length
}
