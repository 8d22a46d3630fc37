import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../house/sources.ts'
import { audit } from './audit.ts'

const test = suite('npm audit')

interface Locked {
  readonly integrity?: string
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}
const lockOf = (file: string): { readonly [path: string]: Locked } => (JSON.parse(readText(projectRoot, file)) as { packages: { [path: string]: Locked } }).packages
const packages = lockOf('package-lock.json')
const locked = Object.entries(packages).filter(([path]) => path !== '')

/** A registry of our own, which notes which packages it was asked about. */
async function serve(answer: object | undefined): Promise<{ server: Server; url: string; asked: Set<string> }> {
  const asked = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    for (const name of Object.keys(JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)) as object)) asked.add(name)
    if (answer === undefined) response.writeHead(405).end()
    else response.end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

async function auditOf(answer: object | undefined): Promise<{ found: unknown; asked: Set<string> }> {
  const { server, url, asked } = await serve(answer)
  try {
    return { found: await audit(url), asked }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('nothing is known against any package in the lock file, as far as the registry answers', async () => {
  const found = await audit()
  // No finding and no answer are not the same: the line says which it was.
  console.log(`\n  npm audit: ${'unanswered' in found ? `NOT ANSWERED by this registry (${found.unanswered}); nothing is shown` : `${found.findings.length} findings in ${locked.length} packages`}`)
  if ('findings' in found) assert.equal(found.findings, [])
})

test('a finding is a finding, none is none, and no answer is neither', async () => {
  const advisory = { id: 1, url: '', title: 'a bad thing', severity: 'high', vulnerable_versions: '<1000', cwe: [], cvss: { score: 0 } }
  const [bad, good, none] = await Promise.all([auditOf({ immer: [advisory] }), auditOf({}), auditOf(undefined)])
  assert.equal(bad.found, { findings: ['immer, high: a bad thing'] })
  assert.equal(good.found, { findings: [] })
  assert.ok('unanswered' in (none.found as object))
  assert.ok(['immer', '@preact/signals-core', 'solid-js', 'rollup'].every(name => good.asked.has(name)))
})

test('every package that is installed is the one that was locked, by its sum, and runs nothing when it is installed', () => {
  const installed = Object.entries(lockOf('node_modules/.package-lock.json'))
  assert.ok(installed.length > 100)
  // Programs for other systems have no sum where the lock file was written without seeing them.
  const unseen = ({ optional }: Locked, path: string): boolean => optional === true && packages[path]?.integrity === undefined && process.platform !== 'linux'
  for (const [path, one] of installed) {
    const { integrity, hasInstallScript } = one
    if (unseen(one, path)) continue
    assert.match(integrity ?? 'none', /^sha512-/, path)
    assert.is(integrity, packages[path]?.integrity, path)
    assert.not(hasInstallScript, path)
  }
  assert.equal(locked.filter(([, { integrity, optional }]) => integrity === undefined && !optional), [])
})

test.run()
