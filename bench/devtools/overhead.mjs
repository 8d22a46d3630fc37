// What devtools cost while their panel is closed: writes through a controller that is recorded, beside the same writes
// through one that is not. Both run in one process, in turns, and the fastest batch of each counts.
//   node bench/devtools/overhead.mjs [seconds for each row]
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

const seconds = Number(process.argv[2] ?? 4)
for (const [name, row] of Object.entries(rows)) {
  // Twice without: how far those are apart is what the machine makes of nothing.
  const sides = [row(false), row(true), row(false)]
  const times = [[], [], []]
  const until = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < until || turn < 40; turn++) {
    // Who begins changes, so that neither always runs in the other's wake.
    for (const side of turn % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
      const work = sides[side]()
      const from = performance.now()
      work()
      times[side].push(performance.now() - from)
    }
  }
  const sorted = times.map(each => each.sort((a, b) => a - b))
  const at = part => sorted.map(each => each[Math.floor(each.length * part)])
  const percent = (one, other) => `${((one / other - 1) * 100).toFixed(1)} %`
  const show = ([without, recorded, again]) => `${percent(recorded, (without + again) / 2)} (control ${percent(again, without)})`
  console.log(`${name}: minimum ${show(at(0))}, 10th percentile ${show(at(0.1))}, median ${show(at(0.5))}; ${at(0).map(ms => ms.toFixed(3)).join(', ')} ms a batch, ${sorted[0].length} batches`)
}
