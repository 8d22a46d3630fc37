import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'uvu'
import { projectRoot } from '../../house/sources.ts'
import { serve, type Server } from '../rest/server.ts'

// What the examples of docs/solid.md and docs/preact.md need: a compiler, a folder to run in, and a server.

const flags = [
  '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --skipLibCheck',
  '--allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable --module nodenext',
].join(' ')

/** Writes code where packages are found, with the doors at `at`. */
function written(name: string, code: string, at: (door: string) => string): string {
  const folder = join(projectRoot, 'build/docs')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  const doors = { patchcord: 'src', 'patchcord/solid': 'bindings/solid', 'patchcord/preact': 'bindings/preact' }
  writeFileSync(file, Object.entries(doors).reduce((text, [door, path]) => text.replaceAll(`'${door}'`, `'${at(path)}'`), code))
  return file
}

/** What the compiler says of a program under strict settings. */
export function complaints(name: string, code: string, jsx: string): string[] {
  const file = written(name, code, door => `../../${door}/index.ts`)
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
  const options = { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } } as const
  const { stdout } = spawnSync(process.execPath, [compiler, ...`${flags} --jsx ${jsx}`.split(' '), file], options)
  return stdout.split('\n').filter(line => line.includes(name))
}

/** Runs compiled code, and gives what it exports. */
export async function run(name: string, code: string): Promise<unknown> {
  return import(written(`${name}-${process.pid}.mjs`, code, door => new URL(`../../../${door}/index.js`, import.meta.url).href))
}

/** A server of todos. The guides speak of an address that everybody knows; their requests go to this server. */
export function withServer(test: Test, titles: string[]): void {
  const { fetch } = globalThis
  let server: Server
  test.before(async () => {
    const rows = titles.map((title, n) => ({ id: n + 1, title, done: false }))
    let tick = 0
    server = await serve(({ url, body }, response) => {
      const [, table, id] = url.split('/')
      if (table === 'ticks') return { id: 9, title: `tick ${Math.min(++tick, 3)}` }
      if (id === undefined) return rows
      const row = rows.find(each => String(each.id) === id)
      if (row !== undefined) return Object.assign(row, body === '' ? {} : JSON.parse(body))
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
      return undefined
    })
    const address = server.url.replace(/\/*$/, '')
    globalThis.fetch = ((input: string, init?: RequestInit) => fetch(input.replace('https://api.example.com', address), init)) as typeof fetch
  })
  test.after(async () => {
    globalThis.fetch = fetch
    await server.close()
  })
}
