import { PathError } from '../base/errors.ts'

/**
 * Path templates: `:name` is one segment, `:name?` one that may be left out with the slash before it, `{…}` a part
 * that is left out when none of its parameters is given, `*name` one or more segments, `\` takes the next character
 * as it is.
 *
 * Own code rather than `path-to-regexp` or `regexparam`. The first makes a port a parameter (`:3000` throws), refuses
 * more than a few optional groups, fills in `..`, and is as large as this whole room; the second has neither groups
 * nor a way back from values to a path. Both match by backtracking expressions, which three parameters in one
 * segment make slow. Here a template becomes a short program that is run over all possibilities at once: time is the
 * length of the key times the length of the template, whatever the key.
 */
export interface Template {
  readonly source: string
  readonly parts: readonly Part[]
  /** The parameters, in order. */
  readonly names: ReadonlySet<string>
  /** Where the last parameter begins; -1 without any. */
  readonly last: number
}

/** Text as it is, a parameter, or a group. */
export type Part = string | Parameter | readonly Part[]

export interface Parameter {
  readonly name: string
  readonly wild: boolean
}

const SYNTAX = /\\([^])|([:*])([a-z_]\w*)(\??)|[^]/gi

/** Takes a template apart. */
export function parseTemplate(source: string): Template {
  const names = new Set<string>()
  const open: Part[][] = [[]]
  let last = -1
  for (const { 0: all, 1: escaped, 2: kind, 3: name, 4: optional, index } of source.matchAll(SYNTAX)) {
    const parts = open.at(-1)!
    if (kind !== undefined) {
      const parameter = { name: name!, wild: kind === '*' }
      names.add(name!)
      last = index
      parts.push(optional ? [takeSlash(parts), parameter] : parameter)
    } else if (all === '{') open.push([])
    else if (all === '}' && open.length > 1) {
      // It would always be left out; other libraries write parameters so.
      if (parts.every(part => typeof part === 'string')) throw new PathError(`The path "${source}" has no parameter in "{${parts.join('')}}". Write it like "/users/:id".`)
      open.at(-2)!.push(open.pop()!)
    } else {
      const text = escaped ?? all
      // Of expressions, which other libraries have behind a name, text would be made: "/1(d+)".
      if (/[?#{}\\\s]/.test(text) || all === '*' || /\w/.test(escaped ?? '')) {
        throw new PathError(`The path "${source}" cannot have "${all}". Query parameters are arguments, several segments are "*name", and "\\" is for signs.`)
      }
      if (typeof parts.at(-1) === 'string') parts.push(`${parts.pop() as string}${text}`)
      else parts.push(text)
    }
  }
  if (open.length > 1) throw new PathError(`The path "${source}" has a { without its }.`)
  return { source, parts: open[0]!, names, last }
}

/** An optional parameter takes the slash before it along. */
function takeSlash(parts: Part[]): string {
  const before = parts.at(-1)
  if (typeof before !== 'string' || !before.endsWith('/')) return ''
  parts.pop()
  if (before !== '/') parts.push(before.slice(0, -1))
  return '/'
}

/** The template without its last parameter and what follows, and without the slash before it: where the list is. */
export function listPath({ source, last }: Template): string {
  if (last < 0) throw new PathError(`The path "${source}" has no parameter. Write it like "/users/:id".`)
  return source.slice(0, last).replace(/[{/]+$/, '') || '/'
}
