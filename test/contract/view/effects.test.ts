import { batch, computed, type ReadonlySignal } from '@preact/signals-core'
import { suite } from 'uvu'
import { broken, law } from '../../support/settings.ts'
import { Tape, tapes } from '../../support/tape.ts'
import { Post } from './classes.ts'
import { Watch } from './watch.ts'
import { World } from './world.ts'

const test = suite('view: effects over computeds over views')

const ROWS = 5

/** One node of a random graph: it adds up two inputs, and which the second one is depends on the first. */
interface Sum {
  readonly inputs: readonly [number, number, number]
}

function anyGraph(tape: Tape): Sum[] {
  return Array.from({ length: 3 + tape.int(30) }, (_, i) => {
    const input = (): number => tape.int(ROWS + i)
    return { inputs: [input(), input(), input()] }
  })
}

/** What each node comes to; rows first. */
function expected(values: readonly number[], graph: readonly Sum[]): number[] {
  const all = [...values]
  for (const { inputs } of graph) {
    const first = all[inputs[0]]!
    all.push((first + all[inputs[first % 2 === 0 ? 1 : 2]]!) % 7)
  }
  return all
}

const met = { commits: 0, runs: 0, spared: 0 }

function run(bytes: readonly number[]): void {
  const tape = new Tape(bytes)
  const world = new World()
  const values = Array.from({ length: ROWS }, () => tape.int(4))
  world.write([Post], values.map((votes, i) => ({ id: `${i}`, votes })))
  const graph = anyGraph(tape)
  const signals: ReadonlySignal<number>[] = []
  const read = (at: number): number => (at < ROWS ? world.get<Post>(Post, `${at}`).votes : signals[at - ROWS]!.value)
  for (const { inputs } of graph) {
    signals.push(
      computed(() => {
        const first = read(inputs[0])
        return (first + read(inputs[first % 2 === 0 ? 1 : 2])) % 7
      }),
    )
  }
  const watches = Array.from({ length: 1 + tape.int(6) }, () => ROWS + tape.int(graph.length)).map(at => ({ at, watch: new Watch(() => read(at)) }))
  for (let step = 0; step < 5; step++) {
    const before = watches.map(({ watch }) => watch.runs)
    const old = expected(values, graph)
    const change = (): void => {
      const at = tape.int(ROWS)
      values[at] = tape.int(4)
      // A field that no computed reads changes every time.
      world.write(Post, { id: `${at}`, votes: values[at], title: `${met.commits++}` })
    }
    if (tape.chance(30)) batch(() => [change(), batch(change)])
    else change()
    const now = expected(values, graph)
    watches.forEach(({ at, watch }, i) => {
      const runs = watch.runs - before[i]!
      if (watch.last !== now[at]) broken('An effect saw another value last.', watch.last, now[at])
      if (runs !== (old[at] === now[at] ? 0 : 1)) broken(`An effect ran ${runs} times.`, old[at], now[at])
      if (runs === 0) met.spared++
      else met.runs++
    })
  }
  for (const { watch } of watches) watch.stop()
}

law(test, 'INV-21 in random graphs of computeds an effect runs once when its value changed, and else not', 10_000, tapes(160), run, () => `${met.commits} commits, ${met.runs} runs, ${met.spared} times spared`)

test.run()
