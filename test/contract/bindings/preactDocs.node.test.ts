import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withDom } from '../../support/dom.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { serve, type Server } from '../rest/server.ts'
import { until } from './wire.ts'

/** The examples of docs/preact.md are one program: compiled strictly, and run in a page against a real server. */
const test = suite('docs/preact.md')
withDom(test)

const found = [...readText(projectRoot, 'docs/preact.md').matchAll(/^```tsx( server)?\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)]
const blocks = found.filter(([, server]) => !server).map(([, , code = '', shows]) => ({ code, shows: shows?.trim() }))
const onServer = found.filter(([, server]) => server).map(([, , code = '']) => code)

const folder = join(projectRoot, 'build/docs')
const doors = (code: string, of: (door: string) => string): string =>
  code.replaceAll("'patchcord'", `'${of('src')}'`).replaceAll("'patchcord/preact'", `'${of('bindings/preact')}'`)
const compiled = (door: string): string => new URL(`../../../${door}/index.js`, import.meta.url).href
const program = blocks.map(({ code }, n) => `${code}await globalThis.rendered?.(${n})\n`).join('')

/** Writes the program where packages are found, and runs it. */
async function run(name: string, code: string): Promise<void> {
  const { outputText } = ts.transpileModule(doors(code, compiled), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX, jsxImportSource: 'preact', verbatimModuleSyntax: true },
  })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}-${process.pid}.mjs`)
  writeFileSync(file, outputText)
  await import(file)
}

let server: Server
const { fetch } = globalThis
test.before(async () => {
  const rows = ['sow', 'water', 'harvest'].map((title, n) => ({ id: n + 1, title, done: false }))
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
  // The page speaks of an address that everybody knows; its requests go to the server of this test.
  globalThis.fetch = ((input: string, init?: RequestInit) => fetch(input.replace('https://api.example.com', server.url), init)) as typeof fetch
})
test.after(async () => {
  globalThis.fetch = fetch
  await server.close()
})

test('has examples, and says what they show', () => {
  assert.ok(blocks.length >= 8)
  assert.ok(blocks.every(({ shows }) => shows))
  assert.is(onServer.length, 1)
})

test('compiles under strict settings', () => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'preact.tsx')
  const declared = 'declare global { var rendered: ((n: number) => Promise<void>) | undefined }\n'
  writeFileSync(file, declared + doors(program, door => `../../${door}/index.ts`))
  const flags = '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --skipLibCheck --allowImportingTsExtensions --jsx react-jsx --jsxImportSource preact --target es2022 --lib es2023,dom,dom.iterable --module nodenext'
  const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), file], { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } })
  assert.equal(stdout.split('\n').filter(line => line.includes('preact.tsx')), [])
})

test('shows what it says, on a real server', async () => {
  const page = globalThis as { rendered?: (n: number) => Promise<void> }
  page.rendered = async n => {
    const text = (): string => (document.body.textContent ?? '').trim()
    await until(() => text() === blocks[n]!.shows).catch(() => assert.is(text(), blocks[n]!.shows, `example ${n + 1}`))
  }
  try {
    await run('preact', `${program}\nif (renders !== 1) throw new Error('It was rendered ' + renders + ' times.')\nrender(null, document.body)\n`)
  } finally {
    delete page.rendered
  }
})

test('a server sends the page and its state', async () => {
  const printed: string[] = []
  const { log } = console
  console.log = (text: string) => void printed.push(text)
  const imports = "import { createResource, Entity } from 'patchcord'\nimport { DataProvider, useSuspense } from 'patchcord/preact'\n"
  const first = blocks[0]!.code
  const declared = first.slice(first.indexOf('class Todo'), first.indexOf('const Page'))
  try {
    await run('preact-server', imports + declared + onServer[0]!)
  } finally {
    console.log = log
  }
  assert.match(printed[0]!, /^<div id="app">.*<li>sow beans; <\/li>.*<\/div><script type="application\/json" id="patchcord">\{.*<\/script>$/)
})

test.run()
