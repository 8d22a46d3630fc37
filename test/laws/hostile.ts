import type { Tape } from '../support/tape.ts'

/** Names that break stores whose tables are objects, URLs that are not encoded, and ids that are not checked. */
export const hostile: readonly string[] = [
  'constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', '',
  ' ', '..', '%2e%2e', '\ud800', 'undefined', 'null', '-0', '1e21',
]

const isHostile: ReadonlySet<string> = new Set(hostile)

/** Whether a pk is one that would break others. */
export const hostileName = (name: string): boolean => isHostile.has(name)

/** Few ids, so that payloads meet; three in ten of them hostile. */
export function anyPk(tape: Tape): string | number {
  if (tape.chance(30)) {
    const pk = tape.pick(hostile)
    // The one that is no pk ends the whole response: often enough to be seen, seldom enough to let others pass.
    return pk === '' && !tape.chance(20) ? ' ' : pk
  }
  const pk = 1 + tape.int(4)
  return tape.chance(50) ? pk : `${pk}`
}

/** Some pks, each once, in some order: the list that a server sends again and again, a little different. */
export function pkList(tape: Tape): string[] {
  const pks = tape.some(['1', '2', '3', '4', '5'])
  while (tape.chance(30)) {
    const pk = tape.pick(hostile)
    if (pk !== '' && !pks.includes(pk)) pks.splice(tape.int(pks.length + 1), 0, pk)
  }
  return pks
}

export const anyName = (tape: Tape, ordinary: readonly string[]): string => tape.chance(30) ? tape.pick(hostile) : tape.pick(ordinary)

/** A string of a server. */
export const anyText = (tape: Tape): string => anyName(tape, ['a', 'b', 'c'])

/** An own field, whatever its name: assignment would call the setter of `__proto__`. */
export function put(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** What a field may hold: mostly little things, now and then nested data, that look like what was there before. */
export function anyValue(tape: Tape, depth = 2): unknown {
  const kind = tape.int(depth > 0 ? 15 : 7)
  if (kind < 2) return tape.int(3)
  if (kind < 4) return anyText(tape)
  if (kind === 4) return null
  if (kind === 5) return tape.chance(50)
  if (kind === 6) return tape.pick([NaN, -0, 0, 1e21, 0.1, undefined])
  if (kind < 10) return tape.some([1, 2, 3, 4, 'a', 'b'])
  if (kind < 14) return anyObject(tape, depth)
  return Array.from({ length: tape.int(3) }, () => anyValue(tape, depth - 1))
}

/** Nested data; the fields of a record called `data` hold some nearly always. */
export function anyObject(tape: Tape, depth = 2): object {
  const object = {}
  for (const name of ['a', 'b', 'c']) if (tape.chance(60)) put(object, name, anyValue(tape, depth - 1))
  if (tape.chance(30)) put(object, tape.pick(hostile), anyValue(tape, depth - 1))
  return object
}

/** What names a row to be removed: its pk, or an object where the pk alone would be taken for a mistake. */
export const removable = (pk: string): unknown => pk === 'undefined' || pk === 'null' ? { id: pk } : pk
