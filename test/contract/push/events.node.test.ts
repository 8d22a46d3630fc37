import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EventSource } from 'undici'
import { Controller, createResource, Entity } from '../../../src/index.ts'
import { connect, type PushConnection, type PushEvents } from '../../../src/push/index.ts'
import { projectRoot } from '../../house/sources.ts'
import { effectOf, until } from './wire.ts'

const test = suite('push: server-sent events')

interface Stream {
  add(message: object): Promise<string>
  follow(lastId: string | undefined, send: (entry: { id: string; text: string }) => void): Promise<() => void>
}
interface Issues {
  create(fields: object): Promise<{ id: string }>
  change(id: string, fields: object): Promise<object>
  remove(id: string): Promise<void>
}
const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(projectRoot, 'examples/push', file)).href)) as T
const { createService } = await load<{ createService(parts: object): Server }>('service.mjs')
const { createMemoryStream } = await load<{ createMemoryStream(options?: object): Stream }>('memoryStream.mjs')
const { createMemoryIssues } = await load<{ createMemoryIssues(stream: Stream): Issues }>('memoryIssues.mjs')

/** What of Undici's `EventSource` a page has too. */
const open = (url: string): PushEvents => new EventSource(url) as unknown as PushEvents

/** A server of the example, and clients of it. */
class Site {
  readonly stream: Stream
  readonly issues: Issues
  readonly requests: string[] = []
  readonly errors: unknown[] = []
  server: Server
  port = 0
  readonly #controllers: Controller[] = []
  /** Answers a request instead of the service. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined

  constructor(limit = 1000) {
    this.stream = createMemoryStream({ limit })
    this.issues = createMemoryIssues(this.stream)
    this.server = this.#make()
  }

  #make(): Server {
    const server = createService({ stream: this.stream, issues: this.issues, every: 60_000 })
    const [answer] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(`${request.method} ${request.url}`)
      if (this.intercept?.(request, response) !== true) answer(request, response)
    })
    return server
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
    this.server = this.#make()
  }

  client(): { readonly stream: PushConnection; readonly titles: () => string } {
    const controller = new Controller({ onError: error => void this.errors.push(error) })
    this.#controllers.push(controller)
    const base = `http://127.0.0.1:${this.port}`
    class Issue extends Entity {
      static override key = 'Issue'
      static override version = 'version'
      id = ''
      title = ''
      status = ''
      version = 0
    }
    const resource = createResource({ urlPrefix: base, path: '/issues/:id', schema: Issue, optimistic: true, body: {} as { title?: string } })
    const stream = connect(controller, { url: `${base}/stream`, open, types: { Issue: resource.getList.move.schema } })
    const reading = effectOf(controller, resource.getList)
    return { stream, titles: () => ((reading.data() ?? []) as { title: string }[]).map(({ title }) => title).join() }
  }

  async close(): Promise<void> {
    for (const controller of this.#controllers) controller.dispose()
    await this.stop()
  }
}

function onSite(title: string, check: (site: Site) => Promise<void>, limit?: number): void {
  test(title, async () => {
    const site = await new Site(limit).start()
    try {
      await site.issues.create({ title: 'one' })
      await check(site)
    } finally {
      await site.close()
    }
  })
}

onSite('what one client changes, another shows, without asking', async site => {
  const clients = [site.client(), site.client()]
  const show = (text: string): Promise<void> => until(() => clients.every(({ titles }) => titles() === text))
  await show('one')
  await until(() => clients.every(({ stream }) => stream.status.value === 'open'))
  await new Promise(resolve => setTimeout(resolve, 100))
  const asked = site.requests.length
  await site.issues.change('1', { title: 'uno' })
  await site.issues.create({ title: 'two' })
  await show('uno,two')
  await site.issues.remove('1')
  await show('two')
  assert.equal([site.requests.length, site.errors], [asked, []])
})

onSite('after a restart of the server the stream goes on where it was', async site => {
  const { titles, stream } = site.client()
  await until(() => titles() === 'one' && stream.lastId() !== undefined)
  await site.issues.change('1', { title: 'two' })
  await until(() => titles() === 'two' && stream.lastId()?.endsWith('-2') === true)
  const lastId = stream.lastId()!
  await site.stop()
  await until(() => stream.status.value === 'waiting')
  await site.issues.change('1', { title: 'three' })
  site.requests.length = 0
  await site.start()
  await until(() => titles() === 'three')
  assert.equal(site.requests, [`GET /stream?lastEventId=${lastId}`])
})

onSite('a server that no longer has the last id says so, and what is on screen is fetched', async site => {
  const { titles, stream } = site.client()
  await until(() => titles() === 'one' && stream.status.value === 'open')
  await site.stop()
  for (let n = 0; n < 10; n++) await site.issues.change('1', { title: `${n}` })
  site.requests.length = 0
  await site.start()
  await until(() => titles() === '9')
  assert.ok(site.requests.includes('GET /issues'))
}, 3)

onSite('an error page, an empty answer, garbage and a connection that ends at once do no harm', async site => {
  const garbage = 'data: garbage\n\nid: 5\ndata: {"type":"upsert"}\n\n: comment\n\nevent: other\ndata: x\n\n'
  const answers: ((response: ServerResponse) => void)[] = [
    response => response.writeHead(500).end('no'),
    response => response.writeHead(204).end(),
    response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>login'),
    response => response.destroy(),
    response => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(garbage),
  ]
  site.intercept = ({ url }, response) => {
    const answer = url!.startsWith('/stream') ? answers.shift() : undefined
    answer?.(response)
    return answer !== undefined
  }
  const { random } = Math
  Math.random = () => 0
  try {
    const { titles, stream } = site.client()
    await until(() => stream.status.value === 'open' && answers.length === 0, () => `${stream.status.value} ${answers.length}`)
    await site.issues.change('1', { title: 'uno' })
    await until(() => titles() === 'uno', titles)
  } finally {
    Math.random = random
  }
  assert.equal(site.errors.map(error => (error as { code?: string }).code), ['MESSAGE', 'MESSAGE'])
})

test('the stream in memory keeps order, tells a client what it missed, and forgets who left', async () => {
  const stream = createMemoryStream({ limit: 5 })
  const first = await stream.add({ n: 1 })
  const seen: string[] = []
  const stop = await stream.follow(first, ({ text }) => void seen.push(text))
  await stream.add({ n: 2 })
  stop()
  await stream.add({ n: 3 })
  assert.equal(seen, ['{"n":2}'])
  const again: string[] = []
  await stream.follow(first, ({ text }) => void again.push(text))
  assert.equal(again, ['{"n":2}', '{"n":3}'])
  for (let n = 4; n < 20; n++) await stream.add({ n })
  const late: string[] = []
  for (const id of [first, undefined, '', 'x-1', '__proto__']) await stream.follow(id, ({ text }) => void late.push(text))
  assert.equal(late, Array<string>(5).fill('{"type":"reset"}'))
})

test.run()
