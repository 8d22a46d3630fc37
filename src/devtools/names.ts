import { nameOf } from '../schema/describe.ts'
import type { Cell } from '../store/State.ts'

/** Says which view or signal something is, without keeping the view alive: a text from a session file, or what a text is made of. */
export type ViewName = string | { readonly schema: unknown; readonly cell: Cell | null; readonly args?: readonly unknown[] | undefined; readonly part?: unknown }

/** `GET /todos`, `Todo 5`, `Todo 5.title` or `Query(…)`. */
export function viewText(name: ViewName): string {
  if (typeof name === 'string') return name
  const { schema, cell, args = [], part } = name
  if (!cell) return `${(schema as { readonly key?: string } | null)?.key ?? nameOf(schema)}(${args.map(arg => textOf(arg)).join(', ')})`
  return rowText(cell) + (part === undefined ? '' : typeof part === 'string' ? `.${part}` : ` (${(part as symbol).description})`)
}

/** `Todo 5`, or the key of an endpoint. */
export function rowText({ table, pk }: Cell): string {
  return table.ordinal < 0 ? pk : `${table.key} ${pk}`
}

/** A value in one line, at most `most` characters. */
export function textOf(value: unknown, most = 200): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, plainValue)
  } catch {
    // A circle.
  }
  text ??= String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** For `JSON.stringify`: what JSON has no word for, as text. */
export function plainValue(_name: string, value: unknown): unknown {
  return /bigint|function|symbol/.test(typeof value) ? String(value) : value
}
