import { batch } from '@preact/signals-core'
import { suite } from 'uvu'
import { denormalize, Entity, type Commit, type Fields } from '../../../src/index.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { query, readResult } from '../../support/state.ts'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import type { ViewClient } from './client.ts'
import { Bot, change, Comment, Post, readings, User, type Reading } from './forum.ts'
import { LiveStore } from './liveStore.ts'
import { reached, sameView } from './sameView.ts'
import { Watch } from './watch.ts'
import { World } from './world.ts'

const test = suite('view: histories')

/** What one run does, and what it has met. */
const met = { commits: 0, needless: 0, wakes: 0, idle: 0, hidden: 0, rested: 0, inverted: 0 }

/** What the pure function makes of the same. */
function expected({ state }: ViewClient, { args, endpoint, schema }: Reading): unknown {
  if (endpoint === undefined) return query(schema, args, state)
  const stored = readResult(state, endpoint)
  return stored === undefined ? undefined : denormalize(schema, stored, state, args)
}

const read = (at: ViewClient, { args, endpoint, schema }: Reading): unknown =>
  endpoint === undefined ? at.get(schema, ...args) : at.result(schema, endpoint, args)

/** One object for each class and row, whoever shows it; and all of it frozen. */
function checkObjects(views: readonly unknown[]): void {
  const byRow = new Map<string, object>()
  for (const view of views) {
    for (const each of reached(view)) {
      if (!(each instanceof User || each instanceof Post || each instanceof Comment || each instanceof Bot)) continue
      if (!Object.isFrozen(each)) broken('A view can be written to.', each.constructor.name, each.id)
      const row = `${each.constructor.name} ${each.id}`
      if ((byRow.get(row) ?? each) !== each) broken('One row is shown by two objects.', row)
      byRow.set(row, each)
    }
  }
}

function run(bytes: readonly number[]): void {
  const tape = new Tape(bytes)
  const world = new World()
  const commits: Commit[] = []
  world.subscribe(commit => void commits.push(commit))
  const watched = new Map<Reading, Watch<unknown>>()
  const toggle = (): void => {
    const reading = tape.pick(readings)
    const watch = watched.get(reading)
    if (watch === undefined) watched.set(reading, new Watch(() => read(world, reading)))
    else {
      watch.stop()
      watched.delete(reading)
    }
  }
  for (let i = 0; i < 3; i++) change(world, tape)
  for (let i = 0; i < 6; i++) toggle()
  for (let step = 0; step < 6; step++) {
    if (tape.chance(25)) toggle()
    // What nobody watches is released after a while.
    if (tape.chance(30)) world.clock.advance(60_000)
    const before = new Map([...watched].map(([reading, watch]) => [reading, { runs: watch.runs, seen: watch.last }]))
    const twice = tape.chance(10)
    const next = (): void => {
      if (!tape.chance(8) || commits.length === 0) return change(world, tape)
      met.inverted++
      world.commit(commits.at(-1)!.inversePatches)
    }
    if (twice) batch(() => [next(), next()])
    else next()
    met.commits++
    const views: unknown[] = []
    for (const [reading, watch] of watched) {
      const want = expected(world, reading)
      const old = before.get(reading)!
      const runs = watch.runs - old.runs
      if (!sameView(watch.last, want)) broken(`${reading.name}: what the effect saw last is not what is there.`)
      if (runs > 1) broken(`${reading.name}: ran ${runs} times for one commit.`)
      // Two commits may lead away and back; the objects are new then.
      if (runs === 1 && !twice && sameView(old.seen, want)) {
        // The views of a circle may be made anew when something near it changed that they do not show.
        met.needless++
      }
      if (runs === 0 && !Object.is(watch.last, read(world, reading))) broken(`${reading.name}: another object, and nobody was notified.`)
      if (runs === 0) met.idle++
      else met.wakes++
      if (want === undefined) met.hidden++
      views.push(watch.last)
    }
    if (tape.chance(30)) {
      met.rested++
      const reading = tape.pick(readings)
      const view = read(world, reading)
      if (!sameView(view, expected(world, reading))) broken(`${reading.name}: a read that nobody watches is wrong.`)
      views.push(view)
    }
    checkObjects(views)
  }
  if (world.errors.length > 0) throw world.errors[0]
  for (const watch of watched.values()) watch.stop()
}

asyncLaw(test, 'INV-21 views follow random histories: equal to the pure function, notified at most once, and hardly ever when nothing differs', 3000, tapes(500), async bytes => run(bytes), () => {
  if (met.needless > met.wakes / 50) broken('too many wakes that show the same', met.needless, met.wakes)
  return `${met.needless} needless, ${met.commits} commits, ${met.wakes} wakes, ${met.idle} times not woken, ${met.hidden} times nothing to show, ${met.inverted} inverted`
})

/** A view as text. An entity that was met before is named by the way to it, so circles end, and who is the same as whom is compared. */
function picture(value: unknown, path = '', seen: Map<object, string> = new Map()): string {
  if (value instanceof Date) return String(value.getTime())
  if (typeof value !== 'object' || value === null) return String(value)
  const known = seen.get(value)
  if (known !== undefined) return `<${known}>`
  if (value instanceof Entity) seen.set(value, path)
  const members = Object.keys(value).map(name => `${name}:${picture((value as Fields)[name], `${path}/${name}`, seen)}`)
  return `${value.constructor.name}{${members.join()}}`
}

law(test, 'after every commit a live read shows what a view made from nothing shows, and effects have seen it', 400, tapes(400), bytes => {
  const tape = new Tape(bytes)
  const at = new LiveStore()
  const live = (reading: Reading): string => picture(read(at, reading))
  const pure = (reading: Reading): string => picture(expected(at, reading))
  const watches: { reading: Reading; watch: Watch<string> }[] = []
  for (let steps = 3 + tape.int(20); steps > 0; steps--) {
    // Some are watched, some come late, some go.
    const reading = tape.pick(readings)
    if (tape.chance(50)) watches.push({ reading, watch: new Watch(() => live(reading)) })
    if (tape.chance(10)) watches.splice(tape.int(watches.length + 1), 1)[0]?.watch.stop()
    const before = watches.map(({ watch }) => [watch.fresh(), watch.last])
    if (tape.chance(20)) at.clock.advance(60_000)
    change(at, tape)
    watches.forEach(({ reading, watch }, i) => {
      const runs = watch.fresh()
      const view = pure(reading)
      if (watch.last !== view) broken(`an effect on ${reading.name} saw`, watch.last, 'where there is', view)
      if (runs > 1) broken(`an effect on ${reading.name} ran ${runs} times`)
      if (before[i]![1] !== view && runs === 0) broken(`an effect on ${reading.name} did not run`)
    })
    for (const reading of tape.some(readings)) {
      const [got, wanted] = [live(reading), pure(reading)]
      if (got !== wanted) broken(`${reading.name} shows`, got, 'where there is', wanted)
    }
  }
  for (const { watch } of watches) watch.stop()
  if (at.errors.length > 0) throw at.errors[0]
})

test.run()
