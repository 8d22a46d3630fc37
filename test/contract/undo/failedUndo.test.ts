import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity } from '../../../src/index.ts'

const test = suite('an undo that fails')

class Score extends Entity {
  id = 0
  points = 0
  static override key = 'Score'
}

test('a step that was undone meanwhile can still be redone', async () => {
  let refused = ''
  const controller = new Controller({
    retry: false,
    fetch: async (url, init) => (url.endsWith(refused || ' ') ? new Response('{}', { status: 422 }) : Response.json({ id: Number(url.at(-1)), ...(JSON.parse(String(init!.body)) as object) })),
  })
  const Scores = createResource({ urlPrefix: 'http://x', path: '/scores/:id', schema: Score, optimistic: true })
  for (const id of [1, 2]) controller.set(Score, { id, points: 0 })
  const history = createHistory(controller)
  const points = (): (number | undefined)[] => [1, 2].map(id => controller.get(Score, { id })?.points)
  await controller.fetch(Scores.partialUpdate, { id: 1 }, { points: 1 })
  await controller.fetch(Scores.partialUpdate, { id: 2 }, { points: 2 })
  refused = '/2'
  const [second, first] = await Promise.allSettled([history.undo(), history.undo()])
  assert.equal([second.status, first.status], ['rejected', 'fulfilled'])
  assert.equal(points(), [0, 2])
  assert.equal([history.canUndo.value, history.canRedo.value], [true, true])
  refused = ''
  await history.redo()
  assert.equal(points(), [1, 2])
  assert.is(history.canRedo.value, false)
  await history.undo()
  assert.equal(points(), [1, 0])
})

test('what the user does after an undo ends what could be redone, also while the undo is under way', async () => {
  let answer = (): void => {}
  const controller = new Controller({
    retry: false,
    fetch: (_url, init) => new Promise(resolve => (answer = () => resolve(Response.json({ id: 1, ...(JSON.parse(String(init!.body)) as object) })))),
  })
  const Scores = createResource({ urlPrefix: 'http://x', path: '/scores/:id', schema: Score, optimistic: true })
  const turn = (): Promise<void> => new Promise(next => setTimeout(next))
  controller.set(Score, { id: 1, points: 0 })
  const history = createHistory(controller)
  const call = controller.fetch(Scores.partialUpdate, { id: 1 }, { points: 1 })
  await turn()
  answer()
  await call
  const undone = history.undo()
  await turn()
  assert.is(history.canRedo.value, true)
  controller.set(Score, { id: 2, points: 5 })
  assert.is(history.canRedo.value, false)
  answer()
  await undone
  assert.is(history.canRedo.value, false)
})

test.run()
