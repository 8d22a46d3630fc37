/**
 * Whether a regular expression takes time in proportion to the text, whatever the text: judged by its shape, so that no
 * clock is asked. A backtracking engine is linear when no loop stands in a loop, when two loops that could share a
 * character have one between them that the first cannot take, and when a loop that may begin anywhere begins after a
 * character that it cannot take. More than that is refused, also where it might do no harm.
 */
export function slowness(expression: RegExp): string[] {
  const reader = new Reader(expression.source, expression.flags)
  const faults = new Set<string>()
  for (const sequence of reader.alternatives()) judge(sequence, { anchored: false, before: [], loop: undefined, inLoop: false }, faults)
  return [...faults]
}

interface Piece {
  /** Of a piece that takes one character: which ones. */
  readonly chars?: ReadonlySet<string>
  /** Of a group. */
  readonly inside?: readonly (readonly Piece[])[]
  readonly start?: boolean
  readonly min: number
  readonly max: number
}

interface Way {
  anchored: boolean
  /** What every match has had to take so far. */
  before: readonly ReadonlySet<string>[]
  /** The last loop, if whatever came since could be part of it. */
  loop: ReadonlySet<string> | undefined
  readonly inLoop: boolean
}

/** Goes along a sequence; gives what is known at its end. */
function judge(sequence: readonly Piece[], from: Way, faults: Set<string>): Way {
  const way = { ...from }
  for (const { chars, inside, start, min, max } of sequence) {
    if (start) way.anchored = true
    const endless = max === Infinity
    if (endless && way.inLoop) faults.add('a loop in a loop')
    if (inside) {
      if (endless) faults.add('a loop over a group')
      const ends = inside.map(each => judge(each, { ...way, inLoop: way.inLoop || max > 1 }, faults))
      way.loop = ends.map(({ loop }) => loop).find(loop => loop !== undefined)
      if (min > 0 && ends.every(({ anchored }) => anchored)) way.anchored = true
      if (min > 0 && ends.length === 1) way.before = ends[0]!.before
    } else if (chars && endless) {
      if (!way.anchored && !way.before.some(each => disjoint(each, chars))) faults.add('a loop that may begin anywhere')
      if (way.loop && !disjoint(way.loop, chars)) faults.add('two loops for one character')
      way.loop = chars
    } else if (chars && min > 0) {
      way.before = [...way.before, chars]
      if (way.loop && disjoint(way.loop, chars)) way.loop = undefined
    }
  }
  return way
}

function disjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const each of a) if (b.has(each)) return false
  return true
}

/** Enough characters to tell apart whatever a class could mean. */
const ALPHABET = [...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)), '\u2028', '\u2029', '\u0100', '\ud800']

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags.replace(/[gy]/g, '')
  }

  alternatives(): Piece[][] {
    const all: Piece[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#take('|')) all.push([])
      else all.at(-1)!.push(this.#piece())
    }
    return all
  }

  #piece(): Piece {
    if (this.#take('^')) return { start: true, min: 0, max: 0 }
    if (this.#take('$') || this.#take('\\b') || this.#take('\\B')) return { min: 0, max: 0 }
    if (this.#take('(?!') || this.#take('(?=')) return { inside: this.#group(), min: 0, max: 1 }
    if (this.#take('(?:') || this.#take('(')) return { inside: this.#group(), ...this.#times() }
    const begun = this.#at
    if (this.#source[begun] === '[') this.#at = this.#classEnd(begun)
    else if (this.#source[begun] === '\\') this.#at += this.#source[begun + 1] === 'u' ? 6 : 2
    else this.#at++
    const one = new RegExp(`^(?:${this.#source.slice(begun, this.#at)})$`, this.#flags)
    return { chars: new Set(ALPHABET.filter(char => one.test(char))), ...this.#times() }
  }

  #group(): Piece[][] {
    const inside = this.alternatives()
    if (!this.#take(')')) throw new Error(`/${this.#source}/ is beyond this reader.`)
    return inside
  }

  #classEnd(begun: number): number {
    let at = begun + 1
    while (this.#source[at] !== ']' || at === begun + 1) {
      // `[^]` and `[]` are whole.
      if (this.#source[at] === '^' && at === begun + 1 && this.#source[at + 1] === ']') return at + 2
      at += this.#source[at] === '\\' ? 2 : 1
    }
    return at + 1
  }

  #times(): { min: number; max: number } {
    const counted = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at))
    if (!counted) return { min: 1, max: 1 }
    this.#at += counted[0].length
    const [, sign, from, comma, to] = counted
    if (sign) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    return { min: Number(from), max: to ? Number(to) : comma ? Infinity : Number(from) }
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}
