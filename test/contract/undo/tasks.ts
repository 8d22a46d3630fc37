import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, type ControllerOptions } from '../../../src/index.ts'
import { eventTurns } from '../../support/waiting.ts'

export class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  n = 0
}

export const { getList, update, partialUpdate, delete: remove } = createResource({ path: '/tasks/:id', schema: Task, optimistic: true })

type Row = { readonly id: number; readonly title: string; readonly n: number }

/** Long enough for what was decided to be sent. */
export const turns = (): Promise<void> => eventTurns(4)

/** A client with a history, over a server of tasks that does what it is sent when it answers. */
export async function openTasks(options: ControllerOptions = {}) {
  const rows = new Map<number, Row>([[1, { id: 1, title: 'sow', n: 0 }], [2, { id: 2, title: 'reap', n: 0 }]])
  const waiting: ((isRefused?: boolean) => void)[] = []
  const sent: string[] = []
  const errors: unknown[] = []
  let last = 2
  const server = { holds: (_request: string): boolean => false, refuses: (_request: string): boolean => false }
  const act = (method: string, url: string, body: string): Response => {
    const id = method === 'POST' ? ++last : Number(url.split('/')[2])
    if (method === 'GET') return Response.json(id ? rows.get(id) : [...rows.values()])
    if (method === 'PATCH' && !rows.has(id)) return Response.json({}, { status: 404 })
    if (method === 'DELETE') return new Response(null, { status: rows.delete(id) ? 204 : 404 })
    rows.set(id, { title: '', n: 0, ...rows.get(id), ...(JSON.parse(body) as object), id })
    return Response.json(rows.get(id))
  }
  const fetch = (url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = `${method} ${url} ${(body as string | null) ?? ''}`.trim()
      sent.push(request)
      const answer = (isRefused = method !== 'GET' && server.refuses(request)): void =>
        resolve(isRefused ? Response.json({}, { status: 422 }) : act(method, url, body as string))
      if (!server.holds(request)) return answer()
      waiting.push(answer)
      signal!.addEventListener('abort', () => {
        if (waiting.includes(answer)) waiting.splice(waiting.indexOf(answer), 1)
        reject(signal!.reason as Error)
      })
    })
  const controller = new Controller({ fetch: fetch as never, retry: false, gc: false, onError: error => void errors.push(error), ...options })
  const history = createHistory(controller)
  await controller.fetch(getList)
  sent.length = 0
  const spell = (all: Iterable<Row>): string[] => [...all].map(({ id, title, n }) => `${id} ${title} ${n}`).sort()
  const settle = async (at: number, isRefused?: boolean): Promise<void> => {
    if (waiting.length <= at) await turns()
    waiting.splice(at, 1)[0]?.(isRefused)
    await turns()
  }
  const visible = (): string[] => spell(controller.getResponse(getList).data!)
  const stored = (): string[] => spell(rows.values())
  return {
    controller, history, server, rows, waiting, sent, errors, visible, stored,
    /** Answers the request that has waited longest, or another one. */
    answer: (at = 0): Promise<void> => settle(at),
    /** Answers it, and waits for what ends by that. */
    finish: async <T>(ends: Promise<T>): Promise<T> => (await settle(0), ends),
    refuse: (at = 0): Promise<void> => settle(at, true),
    /** Makes a call whose request waits. */
    call: (id = 1, n = 1): Promise<void> => (void controller.fetch(partialUpdate, { id }, { n }).catch(() => {}), turns()),
    n: (id = 1): number | undefined => controller.get(Task, { id })?.n,
    can: (): [boolean, boolean] => [history.canUndo.value, history.canRedo.value],
    /** Client and server agree, and this is what they have. */
    both(...lines: string[]): void {
      assert.equal(stored(), lines, 'the server')
      assert.equal(visible(), lines, 'the client')
    },
  }
}

/** One whose requests wait until they are answered by hand. */
export async function openSlowTasks(): ReturnType<typeof openTasks> {
  const tasks = await openTasks({ revalidateOverlap: false })
  tasks.server.holds = () => true
  return tasks
}
