import * as assert from 'uvu/assert'
import type { Test } from 'uvu'
import { createHistory, type Kept } from '../../../src/history/index.ts'
import { Controller, createResource, NetworkError, type AnyEndpoint } from '../../../src/index.ts'
import { Task } from '../undo/tasks.ts'

export { Task }

export const Tasks = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })
/** It has no call that undoes it, so an undo aborts it while it is in flight. */
export const abortable = Tasks.partialUpdate.extend({ getUndo: undefined as never })

export type Row = { readonly [field: string]: unknown }

/** A server of any tables, and the history of a client. The server numbers the rows that it creates from 10. */
export function createWorld() {
  /** The rows of the server by their URL. */
  const rows = new Map<string, Row>()
  /** The requests that are no reads: `PATCH /tasks/1 {"n":1}`. */
  const sent: string[] = []
  /** The requests that a waiting server has not taken yet, oldest first. */
  const waiting = new Set<() => void>()
  /** All calls, and all undos and redos. */
  const calls: Promise<unknown>[] = []
  const moves: Promise<unknown>[] = []
  let next = 10
  const server = { isWaiting: false, refuses: (_request: string): boolean => false, createId: (): unknown => next++ }
  const take = (method: string, url: string, body: Row): Response => {
    if (method === 'GET') return Response.json(rows.get(url) ?? [...rows].flatMap(([key, row]) => (key.startsWith(`${url}/`) ? [row] : [])))
    if (server.refuses(`${method} ${url}`)) return new Response('{}', { status: 422 })
    if (method !== 'POST' && !rows.has(url)) return new Response('{}', { status: 404 })
    const row = { ...rows.get(url), ...body, ...(method === 'POST' && { id: server.createId() }) }
    if (method === 'DELETE') rows.delete(url)
    else rows.set(method === 'POST' ? `${url}/${String(row.id)}` : url, row)
    return Response.json(row)
  }
  const fetch = (url: string, { method = 'GET', body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise(resolve => {
      if (signal!.aborted) return
      const text = (body ?? '{}') as string
      if (method !== 'GET') sent.push(`${method} ${url} ${body ? text : ''}`.trim())
      const go = (): void => resolve(take(method, url, JSON.parse(text) as Row))
      if (!server.isWaiting) return go()
      waiting.add(go)
      signal!.addEventListener('abort', () => waiting.delete(go))
    })
  const controller = new Controller({ fetch, retry: false, gc: false, revalidateOverlap: false })
  return { controller, history: createHistory(controller), rows, sent, server, waiting, calls, moves }
}
export type World = ReturnType<typeof createWorld>

export type Step = (world: World) => unknown

/** A test that takes one step after the other, in a world with the tasks `sow` and `reap`. In the end everything is answered. */
export function story(test: Test, title: string, ...steps: Step[]): void {
  test(title, async () => {
    const world = createWorld()
    for (const [id, name] of [[1, 'sow'], [2, 'reap']] as const) world.rows.set(`/tasks/${id}`, { id, title: name, n: 0 })
    await world.controller.fetch(Tasks.getList)
    for (const step of [...steps, answerAll]) await step(world)
  })
}

/** A server that waits answers later, so nobody waits for it. */
const unlessWaiting = ({ server, calls }: World, call: Promise<unknown>): unknown => {
  calls.push(call)
  return server.isWaiting ? void call.catch(() => {}) : call
}

export const call = (endpoint: AnyEndpoint, ...args: unknown[]): Step => world => unlessWaiting(world, world.controller.fetch(endpoint, ...args))
export const change = (id: number, body: object, endpoint: AnyEndpoint = Tasks.partialUpdate): Step => call(endpoint, { id }, body)
export const create = (title: string): Step => call(Tasks.getList.push, { title, n: 0 })
export const remove = (id: number): Step => call(Tasks.delete, { id })
export const write = (id: number, fields: object): Step => ({ controller }) => controller.set(Task, { id, ...fields })
export const edit = (id: number, fields: object): Step => ({ controller }) => controller.set(Task, { id }, task => void Object.assign(task, fields))
export const group = (...steps: Step[]): Step => world => unlessWaiting(world, world.history.group(() => Promise.all(steps.map(step => step(world)))))

const move = (world: World, call: Promise<unknown>): unknown => {
  world.moves.push(call)
  return unlessWaiting(world, call)
}
/** Undoes, and names the fields that it leaves as others have changed them. */
export const undoKeeping = (...kept: Kept[]): Step => world => move(world, world.history.undo().then(undone => assert.equal(undone, { kept })))
export const undo: Step = undoKeeping()
export const redo: Step = world => move(world, world.history.redo())
export const refusedUndo: Step = async ({ history }) => {
  const error = await history.undo().catch((failure: unknown) => failure)
  assert.instance(error, NetworkError)
  assert.is(history.error.value, error)
}

const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))
export const hold: Step = ({ server }) => void (server.isWaiting = true)
/** A server that waits answers the oldest request. */
export const answerOne: Step = async ({ waiting }) => {
  await turn()
  const [first] = waiting
  waiting.delete(first!)
  first!()
  await turn()
}
/** A server that waits answers every request, and those that follow from that. */
export const answerAll: Step = async world => {
  await turn()
  const settled = Promise.allSettled(world.calls).then(() => true)
  const isDone = async (): Promise<boolean> => world.waiting.size === 0 && (await Promise.race([settled, turn()])) === true
  while (!(await isDone())) if (world.waiting.size > 0) await answerOne(world)
  await Promise.all(world.moves)
}

export const can = (...expected: [undo: boolean, redo: boolean]): Step => ({ history }) =>
  assert.equal([history.canUndo.value, history.canRedo.value], expected)
const describe = ({ title, n }: Row): string => `${String(title)} ${String(n)}`
/** The client shows these tasks: `sow 0`. */
export const shows = (...tasks: string[]): Step => ({ controller }) =>
  assert.equal(controller.getResponse(Tasks.getList).data!.map(task => describe({ ...task })), tasks)
/** The client shows these tasks, and the server has them. */
export const agree = (...tasks: string[]): Step => world => {
  shows(...tasks)(world)
  assert.equal([...world.rows.values()].map(describe), tasks)
}
/** These requests were sent since the last step of this kind. */
export const sends = (...requests: string[]): Step => ({ sent }) => assert.equal(sent.splice(0), requests)
export const clearSent: Step = ({ sent }) => sent.splice(0)
