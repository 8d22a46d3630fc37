import { createResource, Controller, Entity, RestEndpoint, applyPatches, emptyState, exportState, normalize } from '../../../src/index.ts'
import { mockFetch, type MockFetch } from '../../../src/testing/index.ts'

/**
 * What the examples of the JSDoc take for granted: a few resources, a network that knows them, a store that has asked
 * for some. Every example gets a world of its own.
 */
export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}

export class User extends Entity {
  static override key = 'User'
  static override indexes = ['username']
  id = 0
  username = ''
  name = ''
  email = ''
}

export class Post extends Entity {
  static override key = 'Post'
  id = 0
  likes = 0
}

export class TextPost extends Entity {
  static override key = 'TextPost'
  id = 0
  type = 'text' as const
}

export class ImagePost extends Entity {
  static override key = 'ImagePost'
  id = 0
  type = 'image' as const
}

export class Price extends Entity {
  static override key = 'Price'
  symbol = ''
  value = 0
  override pk(): string {
    return this.symbol
  }
}

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
export const UserResource = createResource({ path: '/users/:id', schema: User })
export const PriceResource = createResource({ path: '/prices/:symbol', schema: Price, pollFrequency: 1000 })
export const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
export const getPost = new RestEndpoint({ path: '/posts/:id', schema: Post })

const todo = { id: 1, title: 'sow', done: false }
export const network = (): MockFetch =>
  mockFetch({
    'GET /todos': { body: [todo] },
    'POST /todos': { body: { ...todo, id: 2 } },
    'GET /todos/1': { body: todo },
    'PUT /todos/1': { body: todo },
    'PATCH /todos/1': ({ body }) => ({ body: { ...todo, ...(body as object) } }),
    'GET /todos/404': { status: 404, body: { message: 'no such todo' } },
    'GET /todos/slow': { delay: 60_000 },
    'GET /users/1': { body: { id: 1, username: 'bob', name: 'Bob', email: 'bob@example.com' } },
    'GET /users/login': { body: '<!doctype html>', headers: { 'content-type': 'text/html' } },
    'GET /posts/1': { body: { id: 1, likes: 3 } },
    'GET /prices/EUR': { body: { symbol: 'EUR', value: 1.1 } },
    'GET /time/utc': { body: { time: '12:00' } },
  })

const { patches, stamps } = normalize([Todo], [todo])
export const state = applyPatches(emptyState, patches, stamps)

/** The data that a page was given, or that a tab has stored. */
export const savedState = exportState(state)

/** Made anew for each example. */
export const makeController = (fetch: MockFetch): Controller => new Controller({ fetch, retry: false })

export const response: { end(text: string): void } = { end: () => {} }
export const nonce = 'r4nd0m'
export const html = '<h1>sow</h1>'
export const props: { id: number; name: string; symbol: string } = { id: 1, name: 'bob', symbol: 'EUR' }
export const { id, symbol } = { id: 1, symbol: 'EUR' }
export { tracker } from '../../support/tracker.ts'
