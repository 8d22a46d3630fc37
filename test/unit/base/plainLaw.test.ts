import * as fc from 'fast-check'
import { suite } from 'uvu'
import { equal, own, share } from '../../../src/base/plain.ts'
import { anyObject, anyValue, put } from '../../laws/hostile.ts'
import { openPart, same, scribble } from '../../support/same.ts'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'

const test = suite('laws: plain data')

/** Two values; often the second is a copy of the first with a change or none. */
const pairs = fc.tuple(tapes(60), tapes(40)).map(([one, two]) => {
  const before = anyData(new Tape(one))
  const tape = new Tape(two)
  const after = tape.chance(70) ? changed(before, tape) : anyData(tape)
  return [before, after] as const
})

function anyData(tape: Tape): unknown {
  return tape.chance(60) ? anyObject(tape, 3) : anyValue(tape, 3)
}

/** A copy with its keys in another order, and now and then a difference. */
function changed(value: unknown, tape: Tape): unknown {
  if (tape.chance(12)) return anyValue(tape, 1)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const copy = value.map(each => changed(each, tape))
    if (tape.chance(25)) copy.splice(tape.int(copy.length + 1), tape.int(2), anyValue(tape, 1))
    return copy
  }
  const copy = {}
  for (const [name, member] of Object.entries(value).reverse()) put(copy, name, changed(member, tape))
  return copy
}

law(test, 'INV-09 What is taken in is equal to what came, frozen through and through, and nobody else can reach it', 4_000, pairs, ([value]) => {
  const input = structuredClone(value)
  const owned = own(input)
  if (!same(owned, cleaned(value))) broken('something else was taken in', owned, value)
  const open = openPart(owned)
  if (open !== undefined) broken(`what was taken in can be written to at ${open}`, owned)
  if (!Object.is(own(owned), owned)) broken('what is owned already was copied again', owned)
  const text = JSON.stringify(owned)
  scribble(input)
  if (JSON.stringify(owned) !== text) broken('the caller can still write to what was taken in', owned)
})

/** Frozen by the caller at the top only: what hangs below is still theirs. */
law(test, 'INV-09 A value that is frozen on the outside only is copied', 3_000, pairs, ([value]) => {
  if (typeof value !== 'object' || value === null) return
  const inner = structuredClone(value) as object
  const input = Object.freeze({ inner, list: Object.freeze([inner]) })
  const owned = own(input) as typeof input
  const text = JSON.stringify(owned)
  scribble(inner)
  if (JSON.stringify(owned) !== text || openPart(owned) !== undefined) broken('part of a half-frozen value was kept', owned)
})

function cleaned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => name !== '__proto__' && member !== undefined).map(([name, member]) => [name, cleaned(member)]),
  )
}

law(test, 'INV-09 Equality is that of the contents, and is the same from both sides', 4_000, pairs, ([one, two]) => {
  const [a, b] = [own(one), own(two)]
  if (equal(a, b) !== same(a, b)) broken(`${equal(a, b) ? 'different' : 'equal'} values are taken for ${equal(a, b) ? 'equal' : 'different'}`, a, b)
  if (equal(a, b) !== equal(b, a)) broken('equality depends on the side', a, b)
  if (!equal(a, own(structuredClone(one)))) broken('a copy is not equal', a)
})

law(test, 'INV-09 Sharing keeps every equal part of what was there, and gives what came', 4_000, pairs, ([one, two]) => {
  const [previous, next] = [own(one), own(two)]
  const before = JSON.stringify([previous, next])
  const shared = share(previous, next)
  if (!same(shared, next)) broken('sharing changed the value', previous, next, shared)
  if (same(previous, next) && !Object.is(shared, previous)) broken('equal, and the reference is new', previous, next)
  if (openPart(shared) !== undefined) broken('what is shared can be written to', shared)
  if (JSON.stringify([previous, next]) !== before) broken('sharing wrote into its arguments')
  checkParts(previous, shared)
})

/** Below a changed object, each equal field is the old one; below a changed list, those before and after the change are. */
function checkParts(previous: unknown, shared: unknown): void {
  if (previous === shared || typeof previous !== 'object' || typeof shared !== 'object' || previous === null || shared === null) return
  if (Array.isArray(previous) !== Array.isArray(shared)) return
  if (Array.isArray(previous) && Array.isArray(shared)) return checkEnds(previous, shared)
  for (const name of Object.keys(shared)) {
    if (!Object.hasOwn(previous, name)) continue
    const [old, kept] = [previous, shared].map(each => (each as { [name: string]: unknown })[name])
    if (same(old, kept) && typeof old === 'object' && old !== kept) broken(`the equal field ${name} is new`, previous)
    checkParts(old, kept)
  }
}

function checkEnds(previous: readonly unknown[], shared: readonly unknown[]): void {
  const shorter = Math.min(previous.length, shared.length)
  const isNew = (a: unknown, b: unknown): boolean => typeof a === 'object' && a !== b
  let start = 0
  for (; start < shorter && same(previous[start], shared[start]); start++) {
    if (isNew(previous[start], shared[start])) broken('an equal member before the change is new', previous, shared)
  }
  for (let end = 1; end <= shorter - start && same(previous.at(-end), shared.at(-end)); end++) {
    if (isNew(previous.at(-end), shared.at(-end))) broken('an equal member after the change is new', previous, shared)
  }
}

test.run()
