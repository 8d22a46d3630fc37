import { Call } from '../../../src/order/call.ts'
import type { Intents } from '../../../src/order/intent.ts'

/** How many calls show an optimistic answer. */
export function layersOf({ intents }: { readonly intents: Intents }): number {
  return [...intents.keys()].filter(intent => intent instanceof Call && intent.optimistic).length
}
