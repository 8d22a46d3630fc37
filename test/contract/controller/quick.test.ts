import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller } from '../../../src/index.ts'
import { getList, partialUpdate, remove, Task } from '../undo/tasks.ts'

type Row = { readonly [field: string]: unknown }

/** A server that gives everything it makes a number of its own. It takes and answers a request when it is let. */
async function world(...titles: string[]) {
  const rows = new Map<number, Row>(titles.map((title, at) => [at + 1, { id: at + 1, title, n: 0 }]))
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let last = rows.size
  const take = (method: string, url: string, sent: Row): Response => {
    asked.push(`${method} ${url}`)
    const id = method === 'POST' ? ++last : Number(url.split('/')[2])
    if (url === '/tasks' && method === 'GET') return Response.json([...rows.values()])
    const known = rows.get(id)
    if (method === 'DELETE') return new Response(null, { status: rows.delete(id) ? 204 : 404 })
    if (known === undefined && method !== 'POST') return new Response('{}', { status: 404 })
    const row = { n: 0, ...known, ...sent, id }
    if (method !== 'GET') rows.set(id, row)
    return Response.json(row)
  }
  const fetch = (url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      if (signal!.aborted) return reject(signal!.reason as Error)
      const go = (): void => resolve(take(method, url, (typeof body === 'string' ? JSON.parse(body) : {}) as Row))
      waiting.push(go)
      signal!.addEventListener('abort', () => {
        if (waiting.includes(go)) waiting.splice(waiting.indexOf(go), 1)
        reject(signal!.reason as Error)
      })
    })
  const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))
  /** The oldest request is answered, or all of them, and those that follow from that. */
  const one = async (): Promise<void> => {
    await turn()
    waiting.shift()?.()
    await turn()
  }
  const all = async (): Promise<void> => {
    for (await turn(); waiting.length > 0; await turn()) waiting.shift()!()
  }
  const controller = new Controller({ fetch: fetch as never, retry: false, gc: false, revalidateOverlap: false })
  const history = createHistory(controller)
  void controller.fetch(getList)
  await all()
  asked.length = 0
  return {
    controller,
    history,
    asked,
    one,
    all,
    /** What the server has, which is what the client shows. */
    both: (): string[] => {
      const textOf = ({ title, n }: { readonly title?: unknown; readonly n?: unknown }): string => `${String(title)} ${String(n)}`
      const expected = [...rows.values()].map(textOf)
      assert.equal(controller.getResponse(getList).data!.map(textOf), expected)
      return expected
    },
  }
}

const test = suite('history: pressed quickly')

test('a group is taken back before what was done before it, though its calls go one after the other', async () => {
  const { controller, history, all, both } = await world('sow')
  void controller.fetch(partialUpdate, { id: 1 }, { title: 'mow' })
  history.group(() => {
    void controller.fetch(partialUpdate, { id: 1 }, { title: 'hoe' })
    void controller.fetch(getList.push, { title: 'dig' })
  })
  await all()
  assert.equal(both(), ['hoe 0', 'dig 0'])
  void history.undo()
  void history.undo()
  await all()
  assert.equal(both(), ['sow 0'])
})

test('what is made again is there before what was done to it is done again', async () => {
  const { controller, history, all, both, asked } = await world()
  void controller.fetch(getList.push, { title: 'mow' })
  await all()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  await all()
  void history.undo()
  void history.undo()
  await all()
  assert.equal(both(), [])
  void history.redo()
  void history.redo()
  await all()
  assert.equal(asked.slice(-2), ['POST /tasks', 'PATCH /tasks/2'])
  assert.equal(both(), ['mow 1'])
})

test('a group is done again before what was done after it', async () => {
  const { controller, history, all, both } = await world('sow', 'reap')
  history.group(() => {
    void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
    void controller.fetch(partialUpdate, { id: 2 }, { n: 1 })
  })
  void controller.fetch(partialUpdate, { id: 2 }, { n: 2 })
  await all()
  void history.undo()
  void history.undo()
  await all()
  assert.equal(both(), ['sow 0', 'reap 0'])
  void history.redo()
  void history.redo()
  await all()
  assert.equal(both(), ['sow 1', 'reap 2'])
})

test('what is done again counts before what is done after that', async () => {
  const { controller, history, all, both } = await world('sow')
  void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  await all()
  void history.undo()
  void history.redo()
  void controller.fetch(partialUpdate, { id: 1 }, { n: 2 })
  await all()
  assert.equal(both(), ['sow 2'])
})

test('a group that is to be done again while it is being taken back: what was not taken back is not done twice', async () => {
  const { controller, history, one, all, both, asked } = await world('sow')
  history.group(() => {
    void controller.fetch(getList.push, { title: 'mow' })
    void controller.fetch(partialUpdate, { id: 1 }, { n: 1 })
  })
  await all()
  void history.undo()
  void history.redo()
  await all()
  assert.equal(both(), ['sow 1', 'mow 0'])
  assert.equal(asked.slice(2), ['PATCH /tasks/1', 'PATCH /tasks/1'])
  // And the other way round.
  void history.undo()
  await all()
  assert.equal(both(), ['sow 0'])
  void history.redo()
  await one()
  void history.undo()
  await all()
  assert.equal(both(), ['sow 0'])
  assert.equal([history.canUndo.value, history.canRedo.value], [false, true])
})

test('a deletion that is to be done again while what it deleted is being made again is done to that', async () => {
  const { controller, history, all, both } = await world('sow')
  void controller.fetch(remove, { id: 1 })
  await all()
  void history.undo()
  void history.redo()
  await all()
  assert.equal(both(), [])
  assert.equal([history.canUndo.value, history.canRedo.value], [true, false])
})

test('what cannot be taken back is passed over', async () => {
  const { controller, history, all, both } = await world('sow', 'reap')
  const silent = partialUpdate.extend({ getUndo: () => undefined })
  void controller.fetch(partialUpdate, { id: 2 }, { title: 'mow' })
  void controller.fetch(silent, { id: 1 }, { n: 1 })
  void controller.fetch(partialUpdate, { id: 1 }, { n: 2 })
  await all()
  void history.undo()
  void history.undo()
  await all()
  assert.equal(both(), ['sow 1', 'reap 0'])
})

test('a local write is taken back to what it was done over, once what came after it is', async () => {
  const { controller, history, all } = await world('sow')
  controller.set(Task, { id: 1 }, { id: 1, n: 1 })
  void controller.fetch(partialUpdate, { id: 1 }, { n: 2 })
  await all()
  void history.undo()
  void history.undo()
  await all()
  assert.is(controller.get(Task, { id: 1 })!.n, 0)
})

test.run()
