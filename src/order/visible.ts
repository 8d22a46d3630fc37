import { equal, share } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import { Draft } from '../store/draft.ts'
import { movedSlot, type Row, type Rows } from '../store/rows.ts'
import { Entities, rowsOf, Stamps, type State } from '../store/state.ts'
import { compareVectors, NOTHING, type Vector } from '../store/vector.ts'

/** A base, and what is shown of it. */
export interface Shown {
  readonly base: State
  readonly view: State
}

/**
 * The same base and view, in which everything that equals what was last seen is what was last seen: where a layer gave
 * way to the answer that it expected, nothing has changed. When the last layer goes, the base takes such references over.
 * `kept`: the base was made in one go, and has kept what is equal to its own last version.
 */
export function keepSeen(last: Shown, { base, view }: Shown, kept: boolean): Shown {
  const seen = last.view
  const shared = withSeen(last, { base, view }, kept)
  // The base takes nothing else from what a layer has made: not even the number of an arrival that never was.
  return base === view ? { base: shared, view: shared } : { base, view: reused(seen, shared) }
}

/** The view, in which each row and result that equals what was seen is that. */
function withSeen({ view: seen, base: lastBase }: Shown, { view, base }: Shown, kept: boolean): State {
  const draft = new Draft(view)
  for (const table of view.cells ? [...view.cells.tables, view.cells.endpoints] : []) {
    const from = rowsOf(seen, table)
    const to = rowsOf(view, table)
    if (from === to || from.size === 0 || to.size === 0) continue
    const beneath = rowsOf(base, table).records
    const lastBeneath = rowsOf(lastBase, table).records
    compareVectors(from.records, to.records, (slot, old, value) => {
      // Where no layer is, or was, the base has kept what is equal already: a poll is mostly that.
      if (old === undefined || value === undefined || (kept && beneath.get(slot) === value && lastBeneath.get(slot) === old)) return
      const again = share(old, value)
      if (again !== value) draft.write(table.at(slot)!, again as Row)
    })
  }
  return draft.finish()
}

/** `next`, with each table that holds the very same as in `seen` replaced by that. */
function reused(seen: State, next: State): State {
  const tables = mapped(seen.entities.tables, next.entities.tables, sameRows)
  const stamps = mapped(seen.stamps.tables, next.stamps.tables, sameStamps)
  const entities = tables === seen.entities.tables ? seen.entities : new Entities(tables)
  const endpoints = sameRows(seen.endpoints, next.endpoints)!
  const allStamps = stamps === seen.stamps.tables ? seen.stamps : new Stamps(stamps)
  if (entities === seen.entities && endpoints === seen.endpoints && allStamps === seen.stamps && next.cells === seen.cells) return seen
  return Object.freeze({ ...next, entities, endpoints, stamps: allStamps })
}

/** What `map` makes of both lists, place by place; the first list itself when that is what it comes to. */
function mapped<T>(a: readonly (T | undefined)[], b: readonly (T | undefined)[], map: (a: T | undefined, b: T | undefined) => T | undefined): readonly (T | undefined)[] {
  const list = Array.from({ length: Math.max(a.length, b.length) }, (_, at) => map(a[at], b[at]))
  return list.every((each, at) => each === a[at]) ? a : list
}

/** The order of arrival is part of it: what a layer made stands elsewhere once it is real. */
function sameRows<T>(seen: Rows<T> | undefined, next: Rows<T> | undefined): Rows<T> | undefined {
  if (seen === undefined || next === undefined) return (seen ?? next)?.size === 0 ? seen : next
  if (seen.size !== next.size || compareVectors(seen.records, next.records, () => true)) return next
  return movedSlot(seen, next) === undefined ? seen : next
}

function sameStamps(seen: Vector<Stamp> | undefined, next: Vector<Stamp> | undefined): Vector<Stamp> | undefined {
  if (seen === next) return next
  return compareVectors(seen ?? NOTHING, next ?? NOTHING, (_, a, b) => !equal(a, b)) ? next : seen
}
