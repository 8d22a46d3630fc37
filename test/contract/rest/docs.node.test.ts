import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../../house/sources.ts'
import { complaints, run } from '../bindings/docs.ts'
import { printed, transpile } from '../docs/compiling.ts'
import { serve, type Server } from './server.ts'

/** The examples of docs/resources.md are one program: compiled strictly, and run against a real server. */
const test = suite('docs/resources.md')

interface Block { readonly code: string; readonly prints: string | undefined }

const blocks: Block[] = [...readText(projectRoot, 'docs/resources.md').matchAll(/^```ts\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)].map((match) => ({
  code: match[1]!,
  prints: match[2],
}))

const program = blocks.map(({ code }, n) => `${code}console.log('--- ${n}')\n`).join('')

test('has examples', () => {
  assert.ok(blocks.length >= 10)
  assert.ok(blocks.filter(({ prints }) => prints).length >= 8)
})

test('compiles under strict settings', () => assert.equal(complaints('resources.ts', program, 'preserve'), []))

test('prints what it says, on a real server', async () => {
  const rows = [{ id: 1, title: 'sow', done: false }]
  const server: Server = await serve(({ method, url, body }, response) => {
    const { pathname, searchParams } = new URL(url, server.url)
    const [, table, id] = pathname.split('/')
    const sent = body === '' ? {} : (JSON.parse(body) as object)
    if (table === 'trades') return { trade: { id: 't', ...sent }, account: { id: 'a', balance: 95 } }
    if (table === 'posts') return { results: [{ id: 9, title: 'next' }], cursor: searchParams.get('cursor') === 'a' ? 'b' : '' }
    if (table === 'quiet') return void response.writeHead(204).end()
    if (id === undefined && method === 'GET') return rows.filter(({ done }) => !searchParams.has('done') || String(done) === searchParams.get('done'))
    if (id === undefined) return (rows[rows.length] = { done: false, title: '', ...sent, id: rows.length + 1 })
    const row = rows.find((each) => String(each.id) === id)
    if (row !== undefined) return Object.assign(row, sent)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"nothing here"}')
    return undefined
  })
  // The page speaks of an address that everybody knows; its requests go to the server of this test.
  const { fetch } = globalThis
  globalThis.fetch = ((input: string, init?: RequestInit) => fetch(input.replace('https://api.example.com', server.url), init)) as typeof fetch
  let text = ''
  try {
    text = (await printed(() => run('resources', transpile(program, { verbatimModuleSyntax: true })))).join('\n')
  } finally {
    globalThis.fetch = fetch
    await server.close()
  }
  for (const [n, { prints = '' }] of blocks.entries()) {
    const [mine = '', ...rest] = text.split(`--- ${n}`)
    assert.is(mine.trim(), prints.trim(), `example ${n + 1}`)
    text = rest.join(`--- ${n}`)
  }
})

test.run()
