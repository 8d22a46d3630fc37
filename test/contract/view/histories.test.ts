import { batch } from '@preact/signals-core'
import { suite } from 'uvu'
import { denormalize, type Commit } from '../../../src/index.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { query, readResult } from '../../support/state.ts'
import { broken } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { anyone, Bot, bot, Comment, comment, group, page, Post, post, readings, thread, User, user, type Reading } from './forum.ts'
import { reached, sameView } from './sameView.ts'
import { Watch, World } from './world.ts'

const test = suite('view: histories')

/** What one run does, and what it has met. */
const met = { commits: 0, needless: 0, wakes: 0, idle: 0, hidden: 0, rested: 0, inverted: 0 }

/** Runs `work` with the sweeps of the graph in the hands of the run: they come when it says so. */
function withSweeps(work: (sweep: () => void) => void): void {
  const { queueMicrotask: real } = globalThis
  const waiting: (() => void)[] = []
  globalThis.queueMicrotask = callback => void waiting.push(callback)
  try {
    work(() => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next()
    })
  } finally {
    globalThis.queueMicrotask = real
  }
}

/** One of the ways in which a store changes. */
function change(world: World, tape: Tape, commits: readonly Commit[]): void {
  const kind = tape.int(13)
  if (kind < 3) world.write([Post], Array.from({ length: 1 + tape.int(3) }, () => post(tape, 2)))
  else if (kind < 5) world.write([User], Array.from({ length: 1 + tape.int(2) }, () => user(tape, 2)))
  else if (kind === 5) world.write([Comment], Array.from({ length: 1 + tape.int(3) }, () => comment(tape, 2)))
  else if (kind === 6) world.remove(tape.pick([User, Post, Comment, Bot]), ...tape.some(['0', '1', '2', '3']))
  else if (kind === 7) world.write(group, Array.from({ length: tape.int(4) }, () => post(tape, 1)), [{ page: 1 }])
  else if (kind === 8) world.write(tape.pick([group.push, group.remove, thread.unshift]), tape.chance(50) ? post(tape, 0) : comment(tape, 0), [{}])
  else if (kind === 9) world.respond('page', page, { items: [post(tape, 1), post(tape, 1)], first: tape.pick(['0', '1']), more: { n: tape.int(2), all: tape.some(['0', '1', '2']) } })
  else if (kind === 10) world.respond('anyone', [anyone], [{ type: 'bot', ...bot(tape, 1) }, { type: 'user', ...user(tape, 1) }, { type: 'none' }])
  else if (kind === 11) {
    const row = tape.pick(['User', 'Post', 'Comment', 'Bot'])
    // Not a deletion that the server spoke of: the row is gone as if it had never been.
    world.commit([{ op: 'remove', path: ['entities', row, tape.pick(['0', '1', '2', '3'])] }])
  } else {
    const back = commits[commits.length - 1 - tape.int(2)]
    if (back === commits[commits.length - 1] && back !== undefined) {
      met.inverted++
      world.commit(back.inversePatches)
    } else world.respond('people', readings.find(({ name }) => name === 'people')!.schema, { x: user(tape, 1), y: tape.pick(['0', '1', '3']) })
  }
}

/** What the pure function makes of the same. */
function expected({ state }: World, { args, endpoint, schema }: Reading): unknown {
  if (endpoint === undefined) return query(schema, args, state)
  const stored = readResult(state, endpoint)
  return stored === undefined ? undefined : denormalize(schema, stored, state, args)
}

const read = (world: World, { args, endpoint, schema }: Reading): unknown =>
  endpoint === undefined ? world.get(schema, ...args) : world.result(schema, endpoint, args)

/** One object for each class and row, whoever shows it; and all of it frozen. */
function checkObjects(views: readonly unknown[]): void {
  const byRow = new Map<string, object>()
  for (const view of views) {
    for (const each of reached(view)) {
      if (!(each instanceof User || each instanceof Post || each instanceof Comment || each instanceof Bot)) continue
      // The default of a field is the class's own.
      if (each.id === '') continue
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
      watch.dispose()
      watched.delete(reading)
    }
  }
  withSweeps(sweep => {
    world.write([Post], Array.from({ length: 3 }, () => post(tape, 2)))
    world.write([Comment], Array.from({ length: 2 }, () => comment(tape, 2)))
    for (let i = 0; i < 4; i++) toggle()
    for (let step = 0; step < 6; step++) {
      if (tape.chance(25)) toggle()
      if (tape.chance(30)) sweep()
      const before = new Map([...watched].map(([reading, watch]) => [reading, { runs: watch.runs, seen: watch.last }]))
      const twice = tape.chance(10)
      if (twice) batch(() => [change(world, tape, commits), change(world, tape, commits)])
      else change(world, tape, commits)
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
    if (world.reported.length > 0) throw world.reported[0]
    for (const watch of watched.values()) watch.dispose()
    sweep()
  })
}

asyncLaw(
  test,
  'INV-21 views follow random histories: equal to the pure function, notified at most once, and hardly ever when nothing differs',
  3000,
  tapes(500),
  async bytes => run(bytes),
  () => {
    if (met.needless > met.wakes / 50) broken('too many wakes that show the same', met.needless, met.wakes)
    return `${met.needless} needless, ${met.commits} commits, ${met.wakes} wakes, ${met.idle} times not woken, ${met.hidden} times nothing to show, ${met.inverted} inverted`
  },
)

test.run()
