import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller } from '../../../src/index.ts'
import { runs } from '../../support/settings.ts'
import { getList, partialUpdate, remove, type Task } from './tasks.ts'

type Row = { readonly id: number; readonly title: string; readonly n: number }

function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

const channel = new MessageChannel()
/** A timer would take 4 ms each in a page, and there are thousands. */
const macrotask = (): Promise<void> =>
  new Promise(resolve => {
    channel.port1.onmessage = () => resolve()
    channel.port2.postMessage(0)
  })

const turns = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) await macrotask()
}

/** A user who presses undo and redo at any time, over a server that answers in any order and refuses some requests. Returns what happened, the client's rows and the server's. */
async function play(seed: number, refusals: number): Promise<{ log: string[]; client: string; server: string }> {
  const random = createRandom(seed)
  const pick = (length: number): number => Math.floor(random() * length)
  const rows = new Map<number, Row>([1, 2].map(id => [id, { id, title: 'sow', n: 0 }]))
  const waiting: (() => void)[] = []
  const log: string[] = []
  let last = 2
  const take = (method: string, url: string, body: object): Response => {
    const id = method === 'POST' ? ++last : Number(url.split('/')[2])
    if (method === 'GET') return Response.json([...rows.values()])
    const isRefused = random() < refusals
    log.push(`${method} ${url} ${JSON.stringify(body)}${isRefused ? ' refused' : ''}`)
    if (isRefused || (method === 'PATCH' && !rows.has(id))) return Response.json({}, { status: 422 })
    const row: Row = { title: '', n: 0, ...rows.get(id), ...body, id }
    if (method !== 'DELETE') rows.set(id, row)
    else rows.delete(id)
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(row)
  }
  const fetch = (url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const go = (): void => resolve(take(method, url, typeof body === 'string' ? (JSON.parse(body) as object) : {}))
      waiting.push(go)
      signal!.addEventListener('abort', () => {
        if (waiting.includes(go)) waiting.splice(waiting.indexOf(go), 1)
        reject(signal!.reason as Error)
      })
    })
  const answerOne = async (): Promise<void> => {
    waiting.splice(pick(waiting.length), 1)[0]?.()
    await turns()
  }
  const answerAll = async (): Promise<void> => {
    for (await turns(); waiting.length > 0; ) await answerOne()
  }
  const controller = new Controller({ fetch: fetch as never, retry: false, gc: false })
  const history = createHistory(controller)
  void controller.fetch(getList)
  await answerAll()
  const visible = (): readonly Task[] => controller.getResponse(getList).data!
  const actions: (() => unknown)[] = [
    () => controller.fetch(partialUpdate, { id: 1 + pick(2) }, { n: pick(1000) }),
    () => controller.fetch(partialUpdate, { id: 1 + pick(2) }, { n: pick(1000) }),
    () => controller.fetch(getList.push, { title: `new ${pick(1000)}` }),
    () => visible().length > 0 && controller.fetch(remove, { id: visible()[pick(visible().length)]!.id }),
    () => history.undo(),
    () => history.undo(),
    () => history.undo(),
    () => history.redo(),
    () => history.redo(),
    answerOne,
    answerAll,
  ]
  const open = new Set<Promise<unknown>>()
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
  const spell = (all: readonly Row[]): string => JSON.stringify(all.map(({ id, title, n }) => [id, title, n]).sort((a, b) => Number(a[0]) - Number(b[0])))
  const client = spell(visible())
  controller.dispose()
  return { log, client, server: spell([...rows.values()]) }
}

const test = suite('history under random use')

test('when all has settled, client and server agree, however undo and redo were pressed', async () => {
  for (let seed = 1; seed <= runs(120); seed++) {
    for (const refusals of [0, 0.2]) {
      const { log, client, server } = await play(seed, refusals)
      assert.is(client, server, `seed ${seed}, refusals ${refusals}:\n${log.join('\n')}`)
    }
  }
})

test.after(() => channel.port1.close())

test.run()
