import { documentOf, sameDocuments } from '../document.ts'
import { expectModel, History, live, Witness } from './history.ts'

/**
 * Random histories without a search for the smallest one that fails: for whoever only wants to know whether one does.
 *
 *   node build/test/laws/order/trial.js 300 7        histories, seed
 */
const [count = 300, seed = 1] = process.argv.slice(2).map(Number)
let last = seed
const random = (limit: number): number => (((last = (Math.imul(last, 1_664_525) + 1_013_904_223) | 0) >>> 0) * limit) / 2 ** 32 | 0
const bytes = (): number[] => Array.from({ length: random(25) }, () => random(256))

console.warn = () => {}
for (let i = 0; i < count; i++) {
  const history = new History(Array.from({ length: 4 + random(33) }, bytes), (['frozen', 'normal', 'jumping'] as const)[random(3)]!)
  const witness = new Witness()
  try {
    await live(history, world => {
      expectModel(world)
      if (i % 4 === 0) witness.see(world)
    })
    if (i % 4 !== 1) continue
    const [hoped, waited] = [documentOf((await live(history, () => {}, true, true)).base), documentOf((await live(history, () => {}, false, true)).base)]
    if (!sameDocuments(hoped, waited)) throw new Error('optimism has left a trace')
  } catch (error) {
    console.log(`history ${i}: ${(error as Error).message.split('\n')[0]}`)
    process.exit(1)
  }
}
