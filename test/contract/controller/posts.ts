import { Controller, createResource, Entity, type Action, type ControllerOptions, type FetchAction } from '../../../src/index.ts'
import { createClock, mockFetch, type HandClock, type MockFetch, type MockRoutes } from '../../../src/testing/index.ts'

export class Post extends Entity {
  static override key = 'Post'
  id = 0
  title = ''
}

export const Posts = createResource({ path: '/posts/:id', schema: Post })
export const posts = [{ id: 1, title: 'sow' }, { id: 2, title: 'reap' }]

/** A controller over a server of two posts and these routes. */
export function createServer(routes: MockRoutes = {}): { controller: Controller; clock: HandClock; fetch: MockFetch } {
  const clock = createClock(1_000_000)
  const fetch = mockFetch({ 'GET /posts': { body: posts }, 'GET /posts/1': { body: posts[0] }, ...routes }, { clock })
  return { controller: new Controller({ fetch, clock, retry: false }), clock, fetch }
}

/** A controller whose requests the test answers, and what it has reported. */
export function createDesk(options: ControllerOptions = {}): { controller: Controller; requests: FetchAction[]; reported: unknown[] } {
  const requests: FetchAction[] = []
  const reported: unknown[] = []
  // Whoever reads the arguments sends them.
  const action = (each: Action): boolean => each.type === 'fetch' && Boolean(each.args && requests.push(each))
  return { controller: new Controller({ managers: [{ action }], onError: error => void reported.push(error), ...options }), requests, reported }
}

/** Lets promises go on until nothing moves. */
export const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5))
/** The value of a promise, or its error. */
export const outcome = <T>(promise: Promise<T>): Promise<T | Error> => promise.catch((error: unknown) => error as Error)
/** A function that throws `error`. */
export const throwing = (error: unknown) => (): never => {
  throw error
}
