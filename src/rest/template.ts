import { PathError } from '../base/errors.ts'

/** The URL parameters of a call. */
export interface UrlParams {
  readonly [name: string]: unknown
}

/** Literal text, a parameter, or an optional group. */
type TemplatePart = string | { readonly name: string; readonly isWildcard: boolean } | TemplatePart[]

/** An escaped character, a parameter, or any other character. Without the flag `i`, which costs half a millisecond on first use. `[^\W\d]` is a letter or `_`. */
const TOKEN = /\\([^])|([:*])([^\W\d]\w*)|[^]/g

/** Segments that URL parsers resolve as "this folder" or "parent folder", encoded or not. */
const DOTS = /^(\.|%2e){1,2}$/i
const DOT_SEGMENT = /(^|[/?])(\.|%2e){1,2}([/?]|$)/i

/**
 * A path template. `:name` is one segment. `:name?` is an optional segment, left out with the slash before it.
 * `{…}` is a group that is left out when none of its parameters is given. `*name` is one or more segments.
 * `\` escapes the next character.
 *
 * This is our own code because `path-to-regexp` treats a port as a parameter, fills in `..` and is as large as this
 * whole folder, and `regexparam` has no groups and cannot fill a path. Both match with backtracking expressions.
 */
export class Template {
  declare readonly source: string
  readonly names: Set<string> = new Set()
  /** The text before the first parameter. */
  declare readonly start: string
  readonly #parts: readonly TemplatePart[]

  constructor(source: string) {
    this.source = source
    // An optional parameter is a group that includes the slash before it.
    const grouped = source.replace(/\\[^]|(\/?[:*][^\W\d]\w*)\?/g, (all: string, optional?: string) => (optional ? `{${optional}}` : all))
    const open: TemplatePart[][] = [[]]
    let start = ''
    for (const [token, escaped, kind, name] of grouped.matchAll(TOKEN)) {
      const parts = open.at(-1)!
      const text = escaped ?? token
      if (kind) {
        this.names.add(name!)
        parts.push({ name: name!, isWildcard: kind === '*' })
      } else if (token === '{') open.push([])
      else if (token === '}' && open.length > 1) {
        // Such a group would always be left out. Other libraries write parameters like this.
        if (parts.every(part => typeof part === 'string')) throw new PathError(`The path "${source}" has no parameter in "{${parts.join('')}}". Write it like "/users/:id".`)
        open.at(-2)!.push(open.pop()!)
      } else if ((/[?#{}\\\s]/.test(text) && token !== '\\?') || token === '*' || /\w/.test(escaped ?? '')) {
        // Escaped letters come from expressions such as "/:id(\\d+)".
        throw new PathError(`The path "${source}" cannot have "${token}". Query parameters are arguments, several segments "*name".`)
      } else {
        if (!this.names.size) start += text
        parts.push(typeof parts.at(-1) === 'string' ? `${parts.pop() as string}${text}` : text)
      }
    }
    if (open.length > 1) throw new PathError(`The path "${source}" has a { without }.`)
    this.#parts = open[0]!
    this.start = start
  }

  /** The character before the query parameters: `?`, or `&` when the path has a query already. */
  get separator(): '?' | '&' {
    return this.source.includes('\\?') ? '&' : '?'
  }

  /** The path of the list: the template up to its last parameter, without the slash before it. */
  get listPath(): string {
    const { source } = this
    const last = [...source.matchAll(TOKEN)].findLast(([, , kind]) => kind)
    if (!last) throw new PathError(`The path "${source}" has no parameter. Write it like "/users/:id".`)
    return source.slice(0, last.index).replace(/[{/]+$/, '') || '/'
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
        throw refuse(name, 'has half a surrogate pair')
      }
    }
    const isGiven = (part: TemplatePart): boolean => typeof part !== 'string' && (Array.isArray(part) ? part.some(isGiven) : valueOf(part.name) != null)
    const fill = (part: TemplatePart): string => {
      if (typeof part === 'string') return part
      if (Array.isArray(part)) return isGiven(part) ? part.map(fill).join('') : ''
      const { name, isWildcard } = part
      const value = valueOf(name)
      if (!isWildcard) return encode(name, value)
      if (!Array.isArray(value) || !value.length) throw refuse(name, 'must be a list of segments')
      return Array.from(value, each => encode(name, each)).join('/')
    }
    const path = this.#parts.map(fill).join('')
    // A parameter beside text, as in "/.:name", can complete a segment of dots.
    if (DOT_SEGMENT.test(path)) throw new PathError(`"${path}" has a segment of dots.`)
    return path
  }

  /** Whether `url` is a path of this template, with or without a query. Linear in its length. */
  matches(url: string): boolean {
    for (const end of endsOf(this.#parts, url, new Set([0]))) if (end === url.length || url[end] === this.separator) return true
    return false
  }
}

/** All positions of `url` where `parts` can end, if they begin at one of `starts`. Tracks all possibilities at once. */
function endsOf(parts: readonly TemplatePart[], url: string, starts: Set<number>): Set<number> {
  let ends = starts
  for (const part of parts) {
    const next = new Set<number>()
    if (typeof part === 'string') {
      for (const at of ends) if (url.startsWith(part, at)) next.add(at + part.length)
    } else if (Array.isArray(part)) {
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
