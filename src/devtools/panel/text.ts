import type { RecordedCommit } from '../RecordedCommit.ts'
import { rowText } from '../names.ts'

/** `14:03:22.117` */
export function clockText(time: number): string {
  const date = new Date(time)
  return `${date.toTimeString().slice(0, 8)}.${`${date.getMilliseconds()}`.padStart(3, '0')}`
}

/** `0.4 ms`, `120 ms`, `2.5 s` */
export function spanText(ms: number | undefined): string {
  if (ms === undefined) return '–'
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** `1,200` */
export function numberText(count: number): string {
  return count.toLocaleString('en-US')
}

/** What a commit was about: its endpoint, or the rows that it changed. */
export function aboutText(commit: RecordedCommit): string {
  const { endpoint, origin, changed } = commit
  const cell = endpoint === undefined ? commit.changes[0]?.cell : undefined
  return endpoint ?? (cell ? `${rowText(cell)}${changed > 1 ? ` and ${numberText(changed - 1)} more` : ''}` : (origin ?? 'nothing visible'))
}

const MOST_LINES = 100

/** A value over several lines: instances with the name of their class, at most `depth` levels. */
export function prettyText(value: unknown, depth = 5, indent = '', above: readonly unknown[] = []): string {
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value) ?? String(value)
  const isList = Array.isArray(value)
  const name = isList || value.constructor === Object ? '' : `${value.constructor?.name} `
  if (above.includes(value)) return `${name}(shown above)`
  const entries = Object.entries(value)
  const inner = `${indent}  `
  const lines = entries.slice(0, MOST_LINES).map(([key, member]) => inner + (isList ? '' : `${key}: `) + (depth > 0 ? prettyText(member, depth - 1, inner, [...above, value]) : '…'))
  if (entries.length > MOST_LINES) lines.push(`${inner}… ${numberText(entries.length - MOST_LINES)} more`)
  const [open, close] = isList ? '[]' : '{}'
  return `${name}${open}${lines.length > 0 ? `\n${lines.join(',\n')}\n${indent}` : ''}${close}`
}
