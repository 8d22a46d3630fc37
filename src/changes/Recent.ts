import { equal } from '../base/plain.ts'
import { rebaseValue } from '../normalize/rebase.ts'
import type { Cell } from '../store/cell.ts'
import { WHOLE } from './fieldPatches.ts'

/** How many changed fields are remembered, to compare them with changes that others made at the same time. */
const LIMIT = 5000

/**
 * Who made a change, and what they knew. With it, changes that were made at the same time are distinguished from later ones.
 *
 * @example
 * const author: Author = { by: 'tab-2', n: 7, seen: { 'tab-1': 3 } }
 */
export interface Author {
  /** The name of the author, and the number of this change among theirs. */
  readonly by: string
  readonly n: number
  /** The number of the last change of every other author that the author knew. */
  readonly seen: { readonly [by: string]: number }
}

/** A change of one field. */
interface Edit {
  readonly at: number
  readonly by: string
  readonly n: number
  readonly before: unknown
}

/** The last changes of fields. Of two changes of one field that were made at the same time the later one wins, everywhere. */
export class Recent {
  /** The changes up to this position were forgotten. */
  horizon: number = -Infinity
  #edits = new Map<Cell, Map<string, Edit>>()
  #size = 0

  note(cell: Cell, field: string, edit: Edit): void {
    if (++this.#size > LIMIT) {
      this.#edits.clear()
      this.#size = 0
      this.horizon = edit.at
    }
    const edits = this.#edits.get(cell)
    if (edits) edits.set(field, edit)
    else this.#edits.set(cell, new Map([[field, edit]]))
  }

  /** The last change of a field or of its whole row. */
  #last(cell: Cell, field: string): Edit | undefined {
    const edits = this.#edits.get(cell)
    const [own, whole] = [edits?.get(field), edits?.get(WHOLE)]
    return own && whole && whole.at > own.at ? whole : (own ?? whole)
  }

  /**
   * The value of a field after a change from outside at position `at`. `known` is the position of the current value
   * when nothing is remembered of it. Lists get the members that came and went on both sides.
   */
  choose(cell: Cell, field: string, values: { readonly current: unknown; readonly value: unknown }, { at, known, author }: { readonly at: number; readonly known: number; readonly author: Author }): unknown {
    const { current, value } = values
    const mine = this.#last(cell, field)
    if (equal(current, value)) return current
    // Without an author only positions count.
    const isKnown = author.by !== ''
    const isAfter = mine !== undefined && isKnown && (author.by === mine.by || (author.seen[mine.by] ?? -1) >= mine.n)
    const position = mine?.at ?? known
    const isTheirs = isAfter || at > position || (at === position && isKnown && String(JSON.stringify(value)) > String(JSON.stringify(current)))
    const isMerged = mine !== undefined && isKnown && !isAfter && [current, value, mine.before].every(Array.isArray)
    if (isTheirs && isKnown) this.note(cell, field, { at: Math.max(at, position), by: author.by, n: author.n, before: isMerged ? mine.before : current })
    if (isMerged) return isTheirs ? rebaseValue(current, mine.before, value) : rebaseValue(value, mine.before, current)
    return isTheirs ? value : current
  }
}
