import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withDom } from '../../support/dom.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { printed, transpile } from '../docs/compiling.ts'
import { complaints, run, withServer } from './docs.ts'
import { shows } from './wire.ts'

/** The examples of docs/preact.md are one program: compiled strictly, and run in a page against a real server. */
const test = suite('docs/preact.md')
withDom(test)
withServer(test, ['sow', 'water', 'harvest'])

const found = [...readText(projectRoot, 'docs/preact.md').matchAll(/^```tsx( server)?\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)]
const blocks = found.filter(([, server]) => !server).map(([, , code = '', shows]) => ({ code, shows: shows?.trim() }))
const onServer = found.filter(([, server]) => server).map(([, , code = '']) => code)
const program = blocks.map(({ code }, n) => `${code}await globalThis.rendered?.(${n})\n`).join('')

const compiled = (code: string): string => transpile(code, { fileName: 'program.tsx', verbatimModuleSyntax: true })

test('has examples, and says what they show', () => {
  assert.ok(blocks.length >= 8)
  assert.ok(blocks.every(({ shows }) => shows))
  assert.is(onServer.length, 1)
})

test('compiles under strict settings', () => {
  const declared = 'declare global { var rendered: ((n: number) => Promise<void>) | undefined }\n'
  assert.equal(complaints('preact.tsx', declared + program, 'react-jsx --jsxImportSource preact'), [])
})

test('shows what it says, on a real server', async () => {
  const page = globalThis as { rendered?: (n: number) => Promise<void> }
  page.rendered = n => shows(() => (document.body.textContent ?? '').trim(), blocks[n]!.shows!)
  const end = "\nif (renders !== 1) throw new Error('It was rendered ' + renders + ' times.')\nrender(null, document.body)\n"
  try {
    await run('preact', compiled(program + end))
  } finally {
    delete page.rendered
  }
})

test('a server sends the page and its state', async () => {
  const imports = "import { createResource, Entity } from 'patchcord'\nimport { DataProvider, useSuspense } from 'patchcord/preact'\n"
  const first = blocks[0]!.code
  const declared = first.slice(first.indexOf('class Todo'), first.indexOf('const Page'))
  const [html] = await printed(() => run('preact-server', compiled(imports + declared + onServer[0]!)))
  assert.match(html!, /^<div id="app">.*<li>sow beans; <\/li>.*<\/div><script type="application\/json" id="patchcord">\{.*<\/script>$/)
})

test.run()
