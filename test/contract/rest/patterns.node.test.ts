import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createResource, Entity, RestEndpoint, schema } from '../../../src/index.ts'
import { Cache } from './cache.ts'
import { serve, type Server } from './server.ts'

/** The seven patterns of the interface document, each on a real server. */
const test = suite('patterns over HTTP')

let server: Server
test.before.each(async () => {
  server = await serve()
})
test.after.each(() => server.close())

class Post extends Entity {
  id = 0
  title = ''
  static override key = 'Post'
}

test('6: wrapper functions', async () => {
  const createPaged = <const P extends string, S extends typeof Post>(options: { path: P; schema: S }) =>
    createResource({ urlPrefix: server.url, ...options }).extend({
      getList: { schema: { results: new schema.Collection([options.schema]), total: 0, limit: 0, skip: 0 } },
    })
  const Posts = createPaged({ path: '/posts/:id', schema: Post })
  server.answer = ({ method }) => (method === 'POST' ? { id: 2, title: 'b' } : { results: [{ id: 1, title: 'a' }], total: 1, limit: 10, skip: 0 })
  const cache = new Cache()
  const list = await cache.fetch(Posts.getList, { skip: 0 })
  assert.equal([list.total, list.limit, list.skip, list.results.length], [1, 10, 0, 1])
  await cache.fetch(Posts.getList.push, { skip: 0 }, { title: 'b' })
  assert.equal(cache.read(Posts.getList, { skip: 0 })!.results.map(({ title }) => title), ['a', 'b'])
})

test('7: key case, both ways', async () => {
  const deep = (value: unknown, rename: (name: string) => string): unknown => {
    if (Array.isArray(value)) return value.map((each) => deep(each, rename))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), deep(member, rename)]))
  }
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  class Snake<const O> extends RestEndpoint<O> {
    override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
      return super.getRequestInit(deep(body, snake))
    }
    override process(value: unknown): unknown {
      return deep(value, camel)
    }
  }
  class Person extends Entity {
    id = 0
    firstName = ''
    homeAddresses: { streetName: string | null }[] = []
    static override key = 'Person'
  }
  const People = createResource({ urlPrefix: server.url, path: '/people/:id', schema: Person, Endpoint: Snake })
  server.answer = ({ method, body }) => ({ id: 1, ...(method === 'GET' ? { first_name: 'Ada', home_addresses: [{ street_name: null }] } : (JSON.parse(body) as object)) })
  const cache = new Cache()
  const ada = await cache.fetch(People.get, { id: 1 })
  assert.equal([ada.firstName, ada.homeAddresses], ['Ada', [{ streetName: null }]])
  await cache.fetch(People.partialUpdate, { id: 1 }, { firstName: 'Grace', homeAddresses: [{ streetName: 'Main' }, { streetName: null }] })
  assert.is(server.last().body, '{"first_name":"Grace","home_addresses":[{"street_name":"Main"},{"street_name":null}]}')
  assert.equal((cache.get(Person, { id: 1 }) as Person).homeAddresses, [{ streetName: 'Main' }, { streetName: null }])
  await People.getList()
  assert.is(server.last().body, '')
})

test.run()
