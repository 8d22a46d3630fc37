import * as fc from 'fast-check'
import { suite } from 'uvu'
import { applyPatches, emptyState, exportState } from '../../src/index.ts'
import type { State } from '../../src/index.ts'
import { lookup, queryKey } from '../adapter.ts'
import { histories, walk, type Change } from './history.ts'
import { hostile } from './hostile.ts'
import { broken, law } from '../support/settings.ts'
import { Tape, tapes } from '../support/tape.ts'
import { makeZoo } from './zoo.ts'

const test = suite('laws: indexes and collections')

const zoo = makeZoo()
const indexed = zoo.filter(({ name }) => name === 'indexed')
const member = indexed[0]!.species[0]!
const collections = zoo.filter(({ name }) => name === 'listed' || name === 'owned' || name === 'assigned')

const values: readonly unknown[] = [...hostile, 'a', 'b', 'c', 1, '1', 0, true, null, undefined, NaN]
const fields = ['username', 'constructor', 'none', 'toString']

/** Two histories that part early: they share cells, and rows arrive in one of them in another order than in the other. */
const asked = fc.tuple(histories(indexed, 4, 2), histories(indexed, 4, 2), tapes(40))

law(test, 'INV-11 An index finds exactly what a scan finds, at every version, in any order of asking', 3_000, asked, ([one, other, bytes]) => {
  const versions: State[] = [emptyState]
  const keep = ({ after, inverse }: Change): void => void versions.push(after, applyPatches(after, inverse))
  const [, root] = walk(one, keep)
  walk(other, keep, root)
  const tape = new Tape(bytes)
  for (let n = 0; n < 8; n++) {
    const state = versions[tape.int(versions.length)]!
    checkIndex(state, fields[tape.int(100) < 70 ? 0 : tape.int(fields.length)]!)
  }
  for (const state of versions) checkIndex(state, 'username')
})

function checkIndex(state: State, field: string): void {
  const rows = exportState(state).entities.find(([key]) => key === 'Member')?.[1] ?? []
  for (const value of values) {
    const findable = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    const scanned = findable ? rows.find(([, row]) => holds(row, field, value)) : undefined
    const found = lookup(state, 'Member', field, value)
    if (found !== scanned?.[0]) broken(`${field} = ${String(value)}: the index and the scan differ`, found, scanned?.[0], rows)
    if (field !== 'username' || value === undefined) continue
    const answer = queryKey(member.entity, [{ username: value }], state)
    if (answer !== found) broken(`a query by ${String(value)} does not ask the index`, answer, found)
  }
}

function holds(row: object | null, field: string, value: unknown): boolean {
  if (row === null || !Object.hasOwn(row, field)) return false
  const current = (row as { [field: string]: unknown })[field]
  return typeof current !== 'object' && current !== undefined && String(current) === String(value)
}

law(test, 'INV-11 Every member of a collection is in it once, after every response and every step back', 3_000, histories(collections, 6), history => {
  walk(history, ({ after, inverse }) => {
    checkMembers(after)
    checkMembers(applyPatches(after, inverse))
  })
})

function checkMembers(state: State): void {
  for (const [key, rows] of exportState(state).entities) {
    if (key[0] !== '[' && key[0] !== '{') continue
    for (const [pk, record] of rows) {
      if (record === null) continue
      const members = Object.values(record) as unknown[]
      // A boolean where an entity is expected stays what it is.
      const odd = members.find(each => typeof each === 'object' && each !== null)
      if (odd !== undefined) broken(`${key} ${pk} has a member that is no pk`, odd)
      if (Array.isArray(record) && new Set(members).size < members.length) broken(`${key} ${pk} has a member twice`, record)
    }
  }
}

test.run()
