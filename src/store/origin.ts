import type { Cells } from './cell.ts'
import type { Patch } from './immer.ts'

/**
 * What patches that were made here remember of their making: the identities that they name, and the values that are
 * known to be owned. It only saves work. Patches that were changed, copied or sent are judged like any others,
 * because a value counts as known only while it is the very same object at the very same place.
 */
export interface Origin {
  readonly cells: Cells | undefined
  readonly values: readonly unknown[]
}

const ORIGIN = Symbol('origin')

/** Hidden, so that the list still is and compares as a list of patches. */
export function remember(patches: Patch[], cells: Cells | undefined): void {
  const values: unknown[] = []
  for (let i = 0; i < patches.length; i++) values.push(patches[i]!.value)
  const origin: Origin = { cells, values }
  Object.defineProperty(patches, ORIGIN, { value: origin })
}

export function originOf(patches: readonly Patch[]): Origin | undefined {
  return (patches as { [ORIGIN]?: Origin })[ORIGIN]
}
