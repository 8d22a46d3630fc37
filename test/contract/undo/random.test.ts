import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runs } from '../../support/settings.ts'
import { getList, openTasks, partialUpdate, remove, turns, type Task } from './tasks.ts'

function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

/**
 * A user who presses undo and redo at any time, over a server that answers in any order and refuses some requests.
 * Returns what happened, the client's rows and the server's.
 */
async function play(seed: number, refusals: number): Promise<{ log: string[]; client: string[]; server: string[] }> {
  const random = createRandom(seed)
  const pick = (length: number): number => Math.floor(random() * length)
  const { controller, history, server, waiting, sent, answer, visible, stored } = await openTasks()
  server.holds = () => true
  server.refuses = () => random() < refusals
  const answerOne = (): Promise<void> => answer(pick(waiting.length))
  const answerAll = async (): Promise<void> => {
    for (await turns(); waiting.length > 0; ) await answerOne()
  }
  const tasks = (): readonly Task[] => controller.getResponse(getList).data!
  const actions: (() => unknown)[] = [
    () => controller.fetch(partialUpdate, { id: 1 + pick(2) }, { n: pick(1000) }),
    () => controller.fetch(partialUpdate, { id: 1 + pick(2) }, { n: pick(1000) }),
    () => controller.fetch(getList.push, { title: `new ${pick(1000)}` }),
    () => tasks().length > 0 && controller.fetch(remove, { id: tasks()[pick(tasks().length)]!.id }),
    () => history.undo(),
    () => history.undo(),
    () => history.undo(),
    () => history.redo(),
    () => history.redo(),
    answerOne,
    answerAll,
  ]
  const open = new Set<Promise<unknown>>()
  const log: string[] = []
  for (let i = 0; i < 14; i++) {
    const action = actions[pick(actions.length)]!
    log.push(String(action))
    const promise = Promise.resolve(action()).catch(() => {}).finally(() => open.delete(promise))
    open.add(promise)
    if (action === answerOne || action === answerAll) await promise
    else if (random() < 0.3) await turns()
  }
  // A page reads the body of a response in tasks of its own.
  do {
    await answerAll()
    await new Promise(resolve => setTimeout(resolve, 10))
  } while (waiting.length > 0 || open.size > 0)
  const client = visible()
  controller.dispose()
  return { log: [...log, ...sent], client, server: stored() }
}

const test = suite('history under random use')

test('when all has settled, client and server agree, however undo and redo were pressed', async () => {
  for (let seed = 1; seed <= runs(120); seed++) {
    for (const refusals of [0, 0.2]) {
      const { log, client, server } = await play(seed, refusals)
      assert.equal(client, server, `seed ${seed}, refusals ${refusals}:\n${log.join('\n')}`)
    }
  }
})

test.run()
