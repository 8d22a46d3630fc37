import { PathError } from '../base/errors.ts'

/** The URL parameters of a call. */
export interface UrlParams {
  readonly [name: string]: unknown
}

interface Parameter {
  readonly name: string
  readonly isWildcard: boolean
}

/** Literal text, a parameter, or an optional group. */
type Part = string | Parameter | readonly Part[]

const SYNTAX = /\\([^])|([:*])([a-z_]\w*)(\??)|[^]/gi

/** Segments that URL parsers resolve as "this folder" or "parent folder", encoded or not. */
const DOTS = /^(\.|%2e){1,2}$/i

/**
 * A path template. `:name` is one segment. `:name?` is an optional segment, left out with the slash before it.
 * `{…}` is a group that is left out when none of its parameters is given. `*name` is one or more segments.
 * `\` escapes the next character.
 *
 * This is our own code because `path-to-regexp` treats a port as a parameter, fills in `..` and is as large as this
 * whole folder, and `regexparam` has no groups and cannot fill a path. Both match with backtracking expressions.
 */
export class Template {
  readonly source: string
  readonly names: Set<string> = new Set()
  readonly #parts: readonly Part[]
  /** Where the last parameter begins; -1 without parameters. */
  #last = -1

  constructor(source: string) {
    this.source = source
    const open: Part[][] = [[]]
    for (const { 0: token, 1: escaped, 2: kind, 3: name, 4: optional, index } of source.matchAll(SYNTAX)) {
      const parts = open.at(-1)!
      if (kind) {
        const parameter = { name: name!, isWildcard: kind === '*' }
        this.names.add(name!)
        this.#last = index
        parts.push(optional ? [takeSlash(parts), parameter] : parameter)
      } else if (token === '{') open.push([])
      else if (token === '}' && open.length > 1) {
        // Such a group would always be left out. Other libraries write parameters like this.
        if (parts.every(part => typeof part === 'string')) throw new PathError(`The path "${source}" has no parameter in "{${parts.join('')}}". Write it like "/users/:id".`)
        open.at(-2)!.push(open.pop()!)
      } else {
        const text = escaped ?? token
        // "/:id(\\d+)" would become the text "/1(d+)".
        if ((/[?#{}\\\s]/.test(text) && token !== '\\?') || token === '*' || /\w/.test(escaped ?? '')) {
          throw new PathError(`The path "${source}" cannot have "${token}". Query parameters are arguments, several segments are "*name", and "\\" is for signs.`)
        }
        parts.push(typeof parts.at(-1) === 'string' ? `${parts.pop() as string}${text}` : text)
      }
    }
    if (open.length > 1) throw new PathError(`The path "${source}" has a { without its }.`)
    this.#parts = open[0]!
  }

  /** The text before the first parameter. */
  get start(): string {
    return startOf(this.#parts)
  }

  /** The character between the path and query parameters. */
  get separator(): '?' | '&' {
    return this.source.includes('\\?') ? '&' : '?'
  }

  /** The path of the list: the template up to its last parameter, without the slash before it. */
  get listPath(): string {
    if (this.#last < 0) throw new PathError(`The path "${this.source}" has no parameter. Write it like "/users/:id".`)
    return this.source.slice(0, this.#last).replace(/[{/]+$/, '') || '/'
  }

  /** The path for these parameters. Each parameter fills exactly one segment, or the error names it. */
  fill(params: UrlParams): string {
    const { source } = this
    const refuse = (name: string, problem: string): PathError => new PathError(`The parameter "${name}" of the path "${source}" ${problem}.`, name)
    const valueOf = (name: string): unknown => (Object.hasOwn(params, name) ? params[name] : undefined)
    const encode = (name: string, value: unknown): string => {
      if (value == null) throw refuse(name, 'is missing')
      if (!/string|number|bigint|boolean/.test(typeof value) || Number.isNaN(value)) throw refuse(name, 'must be a string or a number')
      if (value === '') throw refuse(name, 'is empty')
      const text = String(value)
      if (DOTS.test(text)) throw refuse(name, `must not be "${text}"`)
      try {
        return encodeURIComponent(text)
      } catch {
        throw refuse(name, 'has half of a surrogate pair')
      }
    }
    const isGiven = (part: Part): boolean => typeof part !== 'string' && (isGroup(part) ? part.some(isGiven) : valueOf(part.name) != null)
    const fill = (part: Part): string => {
      if (typeof part === 'string') return part
      if (isGroup(part)) return isGiven(part) ? part.map(fill).join('') : ''
      const { name, isWildcard } = part
      const value = valueOf(name)
      if (!isWildcard) return encode(name, value)
      if (!Array.isArray(value) || value.length === 0) throw refuse(name, 'must be a list of segments')
      return Array.from(value, each => encode(name, each)).join('/')
    }
    const path = this.#parts.map(fill).join('')
    // A parameter beside text, as in "/.:name", can complete a segment of dots.
    if (path.split(/[/?]/).some(segment => DOTS.test(segment))) throw new PathError(`"${path}", of the path "${source}", has a segment of dots.`)
    return path
  }

  /** Whether `url` is a path of this template, with or without a query. Linear in its length. */
  matches(url: string): boolean {
    for (const end of endsOf(this.#parts, url, new Set([0]))) if (end === url.length || url[end] === this.separator) return true
    return false
  }
}

function isGroup(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

/** An optional parameter includes the slash before it. */
function takeSlash(parts: Part[]): string {
  const before = parts.at(-1)
  if (typeof before !== 'string' || !before.endsWith('/')) return ''
  parts.pop()
  if (before !== '/') parts.push(before.slice(0, -1))
  return '/'
}

function startOf([first, second]: readonly Part[]): string {
  if (typeof first !== 'string') return first && isGroup(first) ? startOf(first) : ''
  return first + (second && typeof second !== 'string' && isGroup(second) ? startOf(second) : '')
}

/** All positions of `url` where `parts` can end, if they begin at one of `starts`. Tracks all possibilities at once. */
function endsOf(parts: readonly Part[], url: string, starts: Set<number>): Set<number> {
  let ends = starts
  for (const part of parts) {
    const next = new Set<number>()
    if (typeof part === 'string') {
      for (const at of ends) if (url.startsWith(part, at)) next.add(at + part.length)
    } else if (isGroup(part)) {
      for (const set of [ends, endsOf(part, url, ends)]) for (const at of set) next.add(at)
    } else {
      let isInside = false
      for (let at = 0; at < url.length; at++) {
        isInside = (isInside || ends.has(at)) && url[at] !== '?' && (part.isWildcard || url[at] !== '/')
        if (isInside) next.add(at + 1)
      }
    }
    ends = next
  }
  return ends
}
