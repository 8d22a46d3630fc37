// What devtools cost while their panel is closed: writes through a controller that is recorded, beside the same writes
// through two that are not. The three take turns in one process, and each row has processes of its own, so that none
// inherits what another taught the compiler. A process gives the ratio of the medians; the line shows the median of the
// processes and their spread. "Later" is what the recording does in tasks of its own, after the write, over the same time.
//   node bench/devtools/overhead.mjs [processes for each row] [seconds for each process]
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Controller, createResource, Entity } from '../../dist/index.js'
import { devtools } from '../../dist/devtools.js'
import { effect } from '@preact/signals-core'
import { freshPayload } from '../payload.mjs'
import { changes, items } from '../records.mjs'

class Item extends Entity {
  static key = 'Item'
  id = ''
}
class BuildType extends Entity {
  static key = 'BuildType'
  id = ''
}
class Project extends Entity {
  static key = 'Project'
  static schema = { buildTypes: { buildType: [BuildType] } }
  id = ''
}
const ItemResource = createResource({ path: '/items/:id', schema: Item })
const ProjectResource = createResource({ path: '/projects/:id', schema: Project })

/** A controller, recorded or not. */
const make = isRecorded => {
  const controller = new Controller({ gc: false })
  if (isRecorded) devtools(controller, { panel: false, redux: false })
  return controller
}

const filled = (isRecorded, size) => {
  const controller = make(isRecorded)
  controller.setResponse(ItemResource.getList, items(size))
  return controller
}

/** Each row gives, for a controller that is recorded or not, a function that prepares a batch and returns its work. */
const rows = {
  'setResponse, one entity in 100k': isRecorded => {
    const controller = filled(isRecorded, 100_000)
    const next = changes(100_000)
    return () => {
      const inputs = next(100)
      return () => inputs.forEach(input => controller.setResponse(ItemResource.get, { id: '0' }, input))
    }
  },
  'set, one field in 100k': isRecorded => {
    const controller = filled(isRecorded, 100_000)
    let count = 0
    const ids = items(100).map(({ id }) => id)
    return () => {
      count++
      return () => ids.forEach(id => controller.set(Item, { id }, item => void (item.name = `${id} ${count}`)))
    }
  },
  'set, one row of a list of 10k that is read': isRecorded => {
    const controller = filled(isRecorded, 10_000)
    effect(() => void controller.getResponse(ItemResource.getList).data)
    let count = 0
    const ids = items(20).map(({ id }) => id)
    return () => {
      count++
      return () => ids.forEach(id => controller.set(Item, { id }, item => void (item.name = `${id} ${count}`)))
    }
  },
  'setResponse, 500 new entities': isRecorded => () => {
    const controller = make(isRecorded)
    const inputs = items(500)
    return () => inputs.forEach(input => controller.setResponse(ItemResource.get, { id: input.id }, input))
  },
  'setResponse, the project list': isRecorded => () => {
    const controller = make(isRecorded)
    const input = freshPayload()
    return () => controller.setResponse(ProjectResource.getList, input.project)
  },
}

const shuffled = () => [0, 1, 2].map(each => [Math.random(), each]).sort(([a], [b]) => a - b).map(([, each]) => each)

/** The time of a recorded batch over that of one that is not, and, as a control, of one that is not over another. */
const measure = (row, seconds) => {
  const tasks = []
  globalThis.setTimeout = task => void tasks.push(task)
  const sides = []
  // In a random order too: of three controllers that do the same, the second one took 1 % longer than the others.
  for (const side of shuffled()) sides[side] = row(side === 1)
  const times = [[], [], [], []]
  const until = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < until || turn < 40; turn++) {
    // In a random order: in a fixed one garbage collection falls into the batch of the same side every time.
    for (const side of shuffled()) {
      const work = sides[side]()
      const from = performance.now()
      work()
      times[side].push(performance.now() - from)
      const later = performance.now()
      for (const task of tasks.splice(0)) task()
      if (side === 1) times[3].push(performance.now() - later)
    }
  }
  const [without, recorded, again, later] = times.map(each => each.sort((a, b) => a - b)[each.length >> 1])
  return { ratio: (2 * recorded) / (without + again), control: again / without, later: 1 + (2 * later) / (without + again), ms: without }
}

const [processes = '7', seconds = '3', name] = process.argv.slice(2)
if (name !== undefined) console.log(JSON.stringify(measure(rows[name], Number(seconds))))
else {
  const percent = ratio => `${((ratio - 1) * 100).toFixed(1)} %`
  const show = ratios => `${percent(ratios[ratios.length >> 1])} (${percent(ratios[0])} to ${percent(ratios.at(-1))})`
  for (const each of Object.keys(rows)) {
    const runs = Array.from({ length: Number(processes) }, () => JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), '1', seconds, each], { encoding: 'utf8' })))
    const sorted = part => runs.map(run => run[part]).sort((a, b) => a - b)
    console.log(`${each}: ${show(sorted('ratio'))}, control ${show(sorted('control'))}, later ${show(sorted('later'))}, ${sorted('ms')[0].toFixed(3)} ms a batch`)
  }
}
