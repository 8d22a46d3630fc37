import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createComponent, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { serve, type Server } from '../rest/server.ts'
import { element } from './solidElement.ts'
import { mountSolid } from './solidFramework.ts'
import { compileSolid } from './solidJsx.ts'
import { until } from './wire.ts'

/** The examples of docs/solid.md are one program: checked by the compiler, and each one's last component rendered. */
const test = suite('docs/solid.md')

withDom(test)

const markdown = readText(projectRoot, 'docs/solid.md')
const blocks = [...markdown.matchAll(/^```tsx\n([\s\S]*?)^```$(?:\n+```html\n([\s\S]*?)^```$)?/gm)].map(([, code, html]) => ({ code: code!, html: html?.trim() }))
const rendered = blocks
  .filter(({ html }) => html !== undefined)
  .map(({ code, html }) => ({ name: [...code.matchAll(/^function (\w+)/gm)].at(-1)![1]!, html: html! }))
const program = `${blocks.map(({ code }) => code).join('\n')}\nexport { ${['controller', ...rendered.map(({ name }) => name)].join(', ')} }\n`
const folder = join(projectRoot, 'build/docs')

test('has an example of every hook', () => {
  for (const hook of ['useSuspense', 'useQuery', 'useCache', 'useFetch', 'useDLE', 'useLive', 'useLoading', 'useHistory', 'useController']) {
    assert.ok(blocks.some(({ code }) => code.includes(`= ${hook}(`) || code.includes(`  ${hook}(`)), hook)
  }
})

test('compiles under strict settings', () => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'solid.tsx')
  writeFileSync(file, program.replaceAll("'patchcord'", "'../../src/index.ts'").replaceAll("'patchcord/solid'", "'../../bindings/solid/index.ts'"))
  const flags =
    '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --skipLibCheck --allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable --module nodenext --jsx preserve --jsxImportSource solid-js'
  const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), file], { encoding: 'utf8', cwd: projectRoot })
  assert.equal(stdout.split('\n').filter(line => line.includes('solid.tsx')), [])
})

test('shows what it says, on a real server', async () => {
  const todos = [{ id: 1, title: 'sow', done: false }, { id: 2, title: 'reap', done: false }]
  const server: Server = await serve(({ url }) => {
    const id = url.split('/')[2]
    return id === undefined ? todos : todos.find(each => String(each.id) === id)
  })
  const { fetch } = globalThis
  globalThis.fetch = ((input: string, init?: RequestInit) => fetch(input.replace('https://api.example.com/', server.url.replace(/\/*$/, '/')), init)) as typeof fetch
  try {
    const module = (await load()) as { controller: Controller } & Record<string, () => JSX.Element>
    for (const { name, html } of rendered) {
      const { page, unmount } = mountSolid(module.controller, module[name]!)
      await until(() => page.innerHTML === html, name).catch(() => assert.is(page.innerHTML, html, name))
      unmount()
    }
    module.controller.dispose()
  } finally {
    globalThis.fetch = fetch
    await server.close()
  }
})

async function load(): Promise<unknown> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `solid-${process.pid}.mjs`)
  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  const code = compileSolid(program).replaceAll("'patchcord'", at('../../../src/index.js')).replaceAll("'patchcord/solid'", at('../../../bindings/solid/index.js'))
  writeFileSync(file, code)
  Object.assign(globalThis, { createComponent, element })
  return import(file)
}

test.run()
