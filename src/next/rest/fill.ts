import { PathError } from '../base/errors.ts'
import type { Part, Template } from './template.ts'

/** The arguments of a URL. */
export interface UrlParams {
  readonly [name: string]: unknown
}

/** What every URL parser takes for "here" or "one up", encoded or not. */
const DOTS = /^(\.|%2e){1,2}$/i

/** The path of `template` for these parameters: each one segment, or an error that names it. */
export function fillTemplate({ source, parts }: Template, params: UrlParams): string {
  const path = fill(parts)
  // Parameters alone are never dots; beside text ("/.:name") they could become some.
  if (path.split('/').some(segment => DOTS.test(segment))) throw new PathError(`"${path}", of the path "${source}", has a segment of dots.`)
  return path

  function fill(parts: readonly Part[]): string {
    let path = ''
    for (const part of parts) {
      if (typeof part === 'string') path += part
      else if (isGroup(part)) path += isGiven(part) ? fill(part) : ''
      else {
        const value = valueOf(params, part.name)
        if (!part.wild) path += segment(part.name, value)
        else if (Array.isArray(value) && value.length > 0) path += Array.from(value, (each: unknown) => segment(part.name, each)).join('/')
        else throw refuse(part.name, 'must be a list of segments')
      }
    }
    return path
  }

  function isGiven(parts: readonly Part[]): boolean {
    return parts.some(part => typeof part !== 'string' && (isGroup(part) ? isGiven(part) : valueOf(params, part.name) != null))
  }

  function segment(name: string, value: unknown): string {
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

  function refuse(name: string, problem: string): PathError {
    return new PathError(`The parameter "${name}" of the path "${source}" ${problem}.`, name)
  }
}

function isGroup(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

function valueOf(params: UrlParams, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}
