import { computed, effect } from '@preact/signals-core'
import { suite } from 'uvu'
import { Cell, Cells, get, getList, spellAll, writes } from '../bindings/torn.ts'
import { broken } from '../../support/settings.ts'
import { asyncLaw } from '../../support/asyncLaw.ts'

const test = suite('view: no torn reads')

let ran = 0
let played = 0
let lives = 0
asyncLaw(test, 'INV-20 all that one run of an effect reads, by views, live objects and computeds, is of one commit', 5_000, writes(12), async history => {
  const cells = new Cells()
  const { controller } = cells
  const truth = (): string => {
    const list = controller.getResponse(getList).data
    const one = controller.getResponse(get, { id: '0' }).data
    return `${spellAll(list)} ${one?.version} ${list?.[0]?.version}`
  }
  const truths = new Set([truth()])
  const seen: string[] = []
  const torn: string[] = []
  const first = computed(() => controller.getResponse(getList).data?.[0]?.version)
  const stops = [
    effect(() => {
      ran++
      seen.push(`${spellAll(controller.getResponse(getList).data)} ${controller.get(Cell, { id: '0' })?.version} ${first.value}`)
    }),
    effect(() => {
      // The same, by objects that stay, beside a snapshot.
      const live = controller.live(getList) as readonly Cell[] | undefined
      const snapshot = controller.getResponse(getList).data
      if (live === undefined || snapshot === undefined) return
      lives++
      // Not thrown: what effects throw is reported elsewhere.
      if (spellAll(live) !== spellAll(snapshot)) torn.push(`${spellAll(live)} beside ${spellAll(snapshot)}`)
    }),
  ]
  for (const write of history) {
    cells.write(write)
    truths.add(truth())
    if (seen.at(-1) !== truth()) broken('The last state was not seen.', write, seen.at(-1), truth())
  }
  for (const stop of stops) stop()
  controller.dispose()
  for (const each of seen) if (!truths.has(each)) broken('This was never so.', each)
  if (torn.length > 0) broken('Live objects and views are of two commits.', torn)
  // What is referred to weakly lives to the end of the turn, and with it a store.
  if (++played % 100 === 0) await new Promise(resolve => setTimeout(resolve))
}, () => `${ran} runs of effects, ${lives} comparisons with live objects`)

test.run()
