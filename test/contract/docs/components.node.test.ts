import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { h, render as renderPreact, type ComponentType } from 'preact'
import { createComponent, type JSX } from 'solid-js'
import { render as renderSolid } from 'solid-js/web'
import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { element } from '../bindings/solidElement.ts'
import { compileSolid } from '../bindings/solidJsx.ts'
import { until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { network } from './prelude.ts'

/**
 * The components of the README: one page for each framework, checked by the compiler, rendered, and used. What the guide
 * to Solid does on a server is checked by the compiler here, and done in solidServer.node.test.ts.
 */
const test = suite('components of the README')
withDom(test)

const folder = join(projectRoot, 'build/docs/readme')
const [solid = '', preact = ''] = [...readText(projectRoot, 'README.md').matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

function written(name: string, code: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, Object.entries(files).reduce((text, [from, to]) => text.replace(new RegExp(`(['"])${from}\\1`), JSON.stringify(to)), code))
  return file
}

test('compile under strict settings', () => {
  const files = (framework: string) => ({ [`patchcord/${framework}`]: `../../../bindings/${framework}/index.ts`, './todos.ts': '../../../test/contract/docs/prelude.ts' })
  const pages = [
    written('solid.tsx', `/** @jsxImportSource solid-js */\n${solid}`, files('solid')),
    written('preact.tsx', `/** @jsxImportSource preact */\n${preact}`, files('preact')),
  ]
  const around = { patchcord: '../../../src/index.ts', './App.tsx': '../../../test/contract/ssr/solidApp.ts' }
  for (const [, side = '', code = ''] of readText(projectRoot, 'docs/solid.md').matchAll(/^```tsx (server|page)\n([\s\S]*?)^```$/gm)) {
    pages.push(written(`solid-${side}.tsx`, `/** @jsxImportSource solid-js */\n${code}`, around))
  }
  assert.is(pages.length, 4)
  const flags = '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck --allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable,esnext.disposable --types node --module nodenext --jsx react-jsx'
  const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), ...pages], { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } })
  assert.equal(stdout.split('\n').filter(line => line.includes('build/docs/readme')), [])
})

/** Waits for the list, ticks its first row, and waits for the server to have been asked for that. */
async function use(framework: string, code: string, mount: (App: unknown, page: HTMLElement) => () => void): Promise<void> {
  const at = (path: string): string => new URL(path, import.meta.url).href
  const file = written(`${framework}-${process.pid}.mjs`, code, { [`patchcord/${framework}`]: at(`../../../bindings/${framework}/index.js`), './todos.ts': at('./prelude.js') })
  const { fetch } = globalThis
  const asked = network()
  globalThis.fetch = asked as typeof fetch
  try {
    const { App } = (await import(file)) as { App: unknown }
    const page = document.createElement('div')
    const unmount = mount(App, page)
    await until(() => page.textContent === 'sow', `${framework}: the list`)
    page.querySelector('input')!.dispatchEvent(new Event('change'))
    await until(() => asked.calls.some(({ method }) => method === 'PATCH'), `${framework}: the change`)
    assert.equal(asked.calls.find(({ method }) => method === 'PATCH')?.body, { done: true })
    unmount()
  } finally {
    globalThis.fetch = fetch
  }
}

test('Solid shows the list and changes a row', async () => {
  Object.assign(globalThis, { createComponent, element })
  await use('solid', compileSolid(solid), (App, page) => renderSolid(() => createComponent(App as () => JSX.Element, {}), page))
})

test('Preact shows the list and changes a row', async () => {
  const { outputText } = ts.transpileModule(preact, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX, jsxImportSource: 'preact' },
    fileName: 'readme.tsx',
  })
  await use('preact', outputText, (App, page) => {
    renderPreact(h(App as ComponentType, {}), page)
    return () => renderPreact(null, page)
  })
})

test.run()
