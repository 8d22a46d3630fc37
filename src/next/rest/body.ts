import { PatchcordError } from '../base/errors.ts'
import { canonical } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import type { UrlParams } from './fill.ts'

/** Whether a body is data to be written as JSON. Forms, files, buffers and streams say by their tag that they are not. */
export function isData(body: unknown): boolean {
  if (Array.isArray(body) || isPlain(body)) return true
  return Object.prototype.toString.call(body) === '[object Object]' && !(Symbol.asyncIterator in (body as object))
}

/** Whether it is data of one thing: its fields. A list of changes, as JSON Patch has, is none. */
export function isFields(body: unknown): body is UrlParams {
  return isData(body) && !Array.isArray(body)
}

/** The part of a request init that carries `body`. */
export function bodyInit(body: unknown): RequestInit {
  if (body === undefined || body === null) return {}
  if (isData(body)) return { body: json(body), headers: { 'content-type': 'application/json' } }
  // A stream can be sent only when it is said that the answer comes after it; for all others that is so anyway.
  return { body: body as BodyInit, duplex: 'half' } as RequestInit
}

function json(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new PatchcordError('BODY', 'The body cannot be sent as JSON: it has a bigint in it, or contains itself. Make a string of it in getRequestInit.', { cause })
  }
}

/** What tells one body from another, for reads that have one. */
export function bodyKey(body: unknown): string {
  if (typeof body !== 'object' || body === null || isData(body)) return canonical(body)
  const entries: readonly unknown[] = Symbol.iterator in body ? [...(body as Iterable<unknown>)] : [body]
  if (entries.every(entry => typeof (entry as readonly unknown[])[1] === 'string')) return canonical(entries)
  throw new PatchcordError('KEY', 'A read with a binary body has no key. Override key() on its endpoint.')
}
