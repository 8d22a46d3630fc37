import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../house/sources.ts'

const { listen, wantedPort } = (await import(pathToFileURL(join(projectRoot, 'examples/listen.mjs')).href)) as {
  listen(server: Server, wanted: number, say?: (text: string) => void): Promise<number>
  wantedPort(env: Record<string, string>): number
}

const test = suite('npm start')

/** Runs `examples/start.mjs` until it has written what `wanted` matches; then asks it for `paths`, and ends it. */
async function start(PORT: string, wanted: RegExp, paths: readonly string[]): Promise<{ output: string; pages: string[] }> {
  const child = spawn(process.execPath, ['examples/start.mjs'], { cwd: projectRoot, env: { ...process.env, PORT } })
  let output = ''
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Nothing within a minute but: ${output}`)), 60_000)
      const read = (chunk: Buffer): void => {
        output += String(chunk)
        if (!wanted.test(output)) return
        clearTimeout(timer)
        resolve()
      }
      child.on('exit', () => reject(new Error(`It ended with: ${output}`)))
      for (const stream of [child.stdout, child.stderr]) stream.on('data', read)
    })
    const address = /http:\S+?:\d+/.exec(output)?.[0] ?? ''
    return { output, pages: await Promise.all(paths.map(async (path) => (await fetch(address + path)).text())) }
  } finally {
    child.kill()
  }
}

test('builds both applications with progress, and serves them with their API, at another port when its own is taken', async () => {
  const other = createServer()
  const port = await listen(other, 0)
  const { output, pages } = await start(String(port), /Ctrl C/, ['/solid/', '/preact/', '/solid/app.js', '/preact/app.js', '/style.css', '/api/issues/120'])
  other.close()
  assert.match(output, /demo: types and modules\n[^]*demo: pages\n[^]*demo done\n/)
  assert.match(output, `Port ${port} is taken; trying ${port + 1}.`)
  assert.match(output, /solid +http:\/\/127\.0\.0\.1:\d+\/solid\/\n +preact +http:\/\/127\.0\.0\.1:\d+\/preact\/\n/)
  const [solid = '', preact = '', solidCode = '', preactCode = '', style = '', issue = ''] = pages
  assert.ok(solid.includes('<script type="module" src="app.js">') && preact === solid)
  // Nothing is asked of another server, and nothing is left for a bundler to find.
  for (const code of [solidCode, preactCode]) assert.not.match(code, /^import .* from '[^.]/m)
  for (const page of [solid, style]) assert.not.match(page, /(src|href)="https?:|url\("?https?:/)
  assert.is((JSON.parse(issue) as { id: number }).id, 120)
})

test('takes the port it was given', async () => {
  const [first, second] = [createServer(), createServer()]
  const free = await listen(first, 0)
  first.close()
  assert.is(await listen(second, free, (text) => assert.unreachable(text)), free)
  assert.is((second.address() as AddressInfo).port, free)
  second.close()
})

test('other faults are not taken for a busy port', async () => {
  const server = createServer()
  const refused = Object.assign(new Error('refused'), { code: 'EACCES' })
  server.listen = () => {
    queueMicrotask(() => server.emit('error', refused))
    return server
  }
  assert.is(await listen(server, 80).catch((error: unknown) => error), refused)
})

test('refuses a port that is none in one sentence, before it builds', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['examples/start.mjs'], { cwd: projectRoot, env: { ...process.env, PORT: 'x' }, encoding: 'utf8' })
  assert.equal({ status, output: stdout + stderr }, { status: 1, output: "PORT is 'x', which is no port. Give a number from 0 to 65535, or leave it out.\n" })
  assert.equal([wantedPort({}), wantedPort({ PORT: '8080' })], [3210, 8080])
  for (const PORT of ['-1', '70000', '1.5', '']) assert.throws(() => wantedPort({ PORT }), /Give a number from 0 to 65535/)
})

test('the program without a framework shows patches and views, and ends', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['examples/node.mjs'], { cwd: projectRoot, encoding: 'utf8', timeout: 20_000 })
  assert.is(status, 0, stderr)
  assert.match(stdout, /1 patch:\n {2}replace entities\/Issue\/118\/status "closed"/)
  assert.match(stdout, '[x] The mobile menu flickers while it loads')
  assert.match(stdout, 'Rows that did not change are the same objects: true')
  assert.match(stdout, '[ ] Read the guide')
  assert.match(stdout, /Done\. .*\n$/)
})

test.run()
