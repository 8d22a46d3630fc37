/** Cells stand in pages by slot, so that slots that are never used again cost nothing. */
const BITS = 10
const MASK = (1 << BITS) - 1

/** So many cells that share a place are gone through; where there are more, pks end alike. */
const LONGEST = 16
/** By how much the places become more, when every second one may be taken, and fewer again. A power of two, so that their number is one. */
const FACTOR = 4

/** What a directory knows of a cell. */
export interface Listed {
  readonly pk: string
  readonly slot: number
  readonly hash: number
  /** The slot of another one in its place, counted from 1; 0 if there is none. The directory's own. */
  link: number
}

/**
 * The cells of a table, by slot and by pk. A response of new rows asks for each of them, finds nothing and adds it: a `Map`
 * takes twice as long for that, because it looks at the whole of each string, and grows more often.
 */
export class Directory<T extends Listed> {
  readonly #pages: (Page<T> | undefined)[] = []
  /**
   * By the last bits of a hash, the slot of a cell that has it, counted from 1; others that share the place are linked to it.
   * Numbers, because a collector moves cells together that refer to each other: they would no longer stand in the order of arrival.
   */
  #places: number[] = [0, 0]
  #size = 0
  /** Used instead of places, once pks have turned out to end alike. */
  #map: Map<string, T> | undefined

  get size(): number {
    return this.#size
  }

  /** All cells, in the order of their slots. Whoever goes through them may stop, and others may come meanwhile. */
  *cells(): Iterable<T> {
    for (const page of this.#pages) for (const cell of page?.cells ?? []) if (cell !== undefined) yield cell
  }

  at(slot: number): T | undefined {
    return this.#pages[slot >>> BITS]?.cells[slot & MASK]
  }

  find(pk: string, hash: number): T | undefined {
    if (this.#map !== undefined) return this.#map.get(pk)
    let count = 0
    for (let link = this.#places[hash & (this.#places.length - 1)]!; link > 0; ) {
      const cell = this.at(link - 1)!
      if (cell.hash === hash && cell.pk === pk) return cell
      link = cell.link
      if (++count > LONGEST) return (this.#map = new Map(Array.from(this.cells(), each => [each.pk, each]))).get(pk)
    }
    return undefined
  }

  /** Adds a cell whose pk is not there. */
  add(cell: T): void {
    const { slot } = cell
    const page = (this.#pages[slot >>> BITS] ??= { cells: [], filled: 0 })
    page.cells[slot & MASK] = cell
    page.filled++
    this.#size++
    if (this.#map !== undefined) this.#map.set(cell.pk, cell)
    else if (this.#size * 2 <= this.#places.length) this.#link(cell)
    else this.#spread(this.#places.length * FACTOR)
  }

  /** Takes a cell out. `next` is the next slot to be given: an empty page that it does not stand in goes too. */
  remove(cell: T, next: number): void {
    const { slot } = cell
    const page = this.#pages[slot >>> BITS]!
    if (this.#map !== undefined) this.#map.delete(cell.pk)
    else {
      const at = cell.hash & (this.#places.length - 1)
      let before = this.at(this.#places[at]! - 1)!
      if (before === cell) this.#places[at] = cell.link
      else {
        while (before.link !== slot + 1) before = this.at(before.link - 1)!
        before.link = cell.link
      }
    }
    this.#size--
    page.cells[slot & MASK] = undefined
    if (--page.filled === 0 && slot >>> BITS < next >>> BITS) this.#pages[slot >>> BITS] = undefined
    // The last is one that is taken back, and mostly comes again.
    if (slot < next - 1 && this.#size * 2 * FACTOR * FACTOR < this.#places.length) this.#spread(this.#places.length / FACTOR)
  }

  #spread(places: number): void {
    this.#places = new Array<number>(places).fill(0)
    // Not by the iterator, which would take longer than all the rest.
    for (const page of this.#pages) if (page !== undefined) for (const cell of page.cells) if (cell !== undefined) this.#link(cell)
  }

  #link(cell: T): void {
    const at = cell.hash & (this.#places.length - 1)
    cell.link = this.#places[at]!
    this.#places[at] = cell.slot + 1
  }
}

interface Page<T> {
  readonly cells: (T | undefined)[]
  filled: number
}

/**
 * Of the length of a pk and its end, where pks differ: numbers count there, and what is random is so there too. It has 30
 * bits, because larger numbers are objects to some engines.
 */
export function hashOf(pk: string): number {
  let hash = pk.length
  for (let at = Math.max(0, hash - 8); at < pk.length; at++) hash = (Math.imul(hash, 31) + pk.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 9)) & 0x3fffffff
}
