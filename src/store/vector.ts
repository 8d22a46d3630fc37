/**
 * A persistent vector: an immutable, sparse list whose versions share all pages that they have in common.
 *
 *            root            depth grows by one for every factor of 32
 *          /  |  \
 *      page page page        up to 32 values each, after the editor that owns the page
 *
 * A change copies one page for each level, whatever the length: 32² rows cost two pages, 32³ three.
 * Larger pages would make longer copies, smaller ones longer ways; a write of one row in 10,000 is cheapest here.
 */
const BITS = 5
const MASK = (1 << BITS) - 1
/**
 * `[owner, value, value, …]`, as long as it needs to be. The owner is the number of the editor that made the copy and
 * may still write into it. Places are counted from 1 because of it.
 */
type Page = unknown[]

/** How many editors there have been. */
let editors = 0

/** Instead of the one place that was written to. */
const NONE = -1
const MANY = -2

/** An immutable version of a vector. */
export class Vector<T> {
  /** @internal */ declare readonly root: Page | undefined
  /** @internal Bits below the root; the root's own pages begin there. */
  declare readonly shift: number
  /** @internal The one place that was written to since the version whose root belongs to `from`; negative when there is no such. */
  declare readonly only: number
  /** @internal */ declare readonly from: unknown

  constructor(root?: Page, shift = 0, only: number = NONE, from?: unknown) {
    this.root = root
    this.shift = shift
    this.only = only
    this.from = from
  }

  get(index: number): T | undefined {
    let page = this.root
    if (page === undefined || index >>> this.shift > MASK) return undefined
    for (let shift = this.shift; shift > 0; shift -= BITS) {
      const at = ((index >>> shift) & MASK) + 1
      if (at >= page.length) return undefined
      page = page[at] as Page | undefined
      if (page === undefined) return undefined
    }
    const at = (index & MASK) + 1
    return at < page.length ? (page[at] as T | undefined) : undefined
  }

  /** Calls `visit` for every value, in order. */
  forEach(visit: (index: number, value: T) => void): void {
    compareVectors<T>(NOTHING, this, (index, _, value) => visit(index, value!))
  }
}

/** The vector in which there is nothing. */
export const NOTHING: Vector<never> = /* @__PURE__ */ new Vector<never>()

/** Writes a new version of a vector; a page is copied at its first write and written in place after that. */
export class VectorEditor<T> {
  readonly #before: Vector<T>
  /** Says whose copy a page is. */
  readonly #self = ++editors
  #root: Page | undefined
  #shift: number
  // Rows arrive in slot order, so the page of the last write is nearly always the page of the next.
  #leaf: Page | undefined
  #leafStart = -1
  /** The one place that was written to, so far. */
  #only = NONE

  constructor(before: Vector<T>) {
    this.#before = before
    this.#root = before.root
    this.#shift = before.shift
  }

  get(index: number): T | undefined {
    if (this.#leaf !== undefined && (index & ~MASK) === this.#leafStart) {
      const at = (index & MASK) + 1
      return at < this.#leaf.length ? (this.#leaf[at] as T | undefined) : undefined
    }
    let page = this.#root
    if (page === undefined || index >>> this.#shift > MASK) return undefined
    for (let shift = this.#shift; shift > 0; shift -= BITS) {
      const at = ((index >>> shift) & MASK) + 1
      if (at >= page.length) return undefined
      page = page[at] as Page | undefined
      if (page === undefined) return undefined
    }
    const at = (index & MASK) + 1
    return at < page.length ? (page[at] as T | undefined) : undefined
  }

  set(index: number, value: T | undefined): void {
    if (this.#leaf === undefined || (index & ~MASK) !== this.#leafStart) {
      this.#leaf = this.#open(index)
      this.#leafStart = index & ~MASK
    }
    put(this.#leaf, (index & MASK) + 1, value)
    if (this.#only !== index) this.#only = this.#only === NONE ? index : MANY
  }

  /** Empties a place that will not be used again. Pages with nothing left go too, or ever growing indexes would take ever more room. */
  drop(index: number): void {
    if (this.get(index) === undefined) return
    this.set(index, undefined)
    if (!isEmpty(this.#leaf!)) return
    const way: Page[] = []
    let page = this.#root!
    for (let shift = this.#shift; shift > 0; shift -= BITS) {
      way.push(page)
      page = page[((index >>> shift) & MASK) + 1] as Page
    }
    for (let shift = BITS; way.length > 0 && isEmpty(page); shift += BITS) {
      page = way.pop()!
      page[((index >>> shift) & MASK) + 1] = undefined
    }
    this.#leaf = undefined
    this.#leafStart = -1
  }

  /** The new version; the very same vector when nothing was written. */
  finish(): Vector<T> {
    if (this.#only === NONE) return this.#before
    this.#leaf = undefined
    this.#leafStart = -1
    return new Vector<T>(this.#root, this.#shift, this.#only, ownerOf(this.#before))
  }

  /** The writable page of `index`, with a writable way down to it. */
  #open(index: number): Page {
    if (this.#root === undefined) this.#root = [this.#self]
    while (index >>> this.#shift > MASK) {
      this.#root = [this.#self, this.#root]
      this.#shift += BITS
    }
    let page = (this.#root = this.#writable(this.#root))
    for (let shift = this.#shift; shift > 0; shift -= BITS) {
      const at = ((index >>> shift) & MASK) + 1
      const below = this.#writable(at < page.length ? (page[at] as Page | undefined) : undefined)
      put(page, at, below)
      page = below
    }
    return page
  }

  #writable(page: Page | undefined): Page {
    if (page === undefined) return [this.#self]
    if (page[0] === this.#self) return page
    const copy = page.slice()
    copy[0] = this.#self
    return copy
  }
}

/** Told one difference between two versions; returning `true` ends the comparison. */
type Difference<T> = (index: number, before: T | undefined, after: T | undefined) => boolean | void

/**
 * Calls `visit` for every index at which two versions differ, in order, and says whether it ended early.
 * Pages that the versions share are skipped, so this costs what changed, not what is there.
 */
export function compareVectors<T>(before: Vector<T>, after: Vector<T>, visit: Difference<T>): boolean {
  if (before.root === after.root) return false
  const only = onlyPlace(before, after)
  if (only >= 0) {
    const old = before.get(only)
    const value = after.get(only)
    return old !== value && visit(only, old, value) === true
  }
  const shift = Math.max(before.shift, after.shift)
  return comparePages(raise(before, shift), raise(after, shift), shift, 0, visit as Difference<unknown>)
}

/** The one place at which two versions may differ; negative when that is not known. Then no page has to be gone through. */
export function onlyPlace(before: Vector<unknown>, after: Vector<unknown>): number {
  return after.only >= 0 && after.from === ownerOf(before) && before.root !== after.root ? after.only : NONE
}

/** Recursion is as deep as the tree: six levels hold a billion rows. */
function comparePages(
  before: Page | undefined,
  after: Page | undefined,
  shift: number,
  start: number,
  visit: Difference<unknown>,
): boolean {
  const length = Math.max(before === undefined ? 1 : before.length, after === undefined ? 1 : after.length)
  for (let at = 1; at < length; at++) {
    const a = before === undefined || at >= before.length ? undefined : before[at]
    const b = after === undefined || at >= after.length ? undefined : after[at]
    if (a === b) continue
    const index = start + ((at - 1) << shift)
    const ended =
      shift === 0
        ? visit(index, a, b)
        : comparePages(a as Page | undefined, b as Page | undefined, shift - BITS, index, visit)
    if (ended === true) return true
  }
  return false
}

function ownerOf({ root }: Vector<unknown>): unknown {
  return root?.[0]
}

function raise(vector: Vector<unknown>, shift: number): Page | undefined {
  let page = vector.root
  if (page === undefined) return undefined
  for (let at = vector.shift; at < shift; at += BITS) page = [undefined, page]
  return page
}

/** Writes without leaving holes: a page with holes is slower to read for as long as it lives. */
function put(page: Page, at: number, value: unknown): void {
  while (page.length < at) page.push(undefined)
  page[at] = value
}

function isEmpty(page: Page): boolean {
  for (let at = 1; at < page.length; at++) if (page[at] !== undefined) return false
  return true
}
