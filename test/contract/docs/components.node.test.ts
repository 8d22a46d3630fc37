import { h, render as renderPreact, type ComponentType } from 'preact'
import { createComponent, type JSX } from 'solid-js'
import { render as renderSolid } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { element } from '../bindings/solidElement.ts'
import { compileSolid } from '../bindings/solidJsx.ts'
import { until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { compile, written } from '../../house/compiler.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { modules, sources, transpile } from './compiling.ts'
import { network } from './prelude.ts'

/**
 * The components of the README: one page for each framework, checked by the compiler, rendered, and used. What the guide
 * to Solid does on a server is checked by the compiler here, and done in solidServer.node.test.ts.
 */
const test = suite('components of the README')
withDom(test)

const [solid = '', preact = ''] = [...readText(projectRoot, 'README.md').matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

/** Writes a page that imports from other files than the reader's. */
function page(name: string, code: string, files: Readonly<Record<string, string>>): string {
  const replace = (text: string, [from, to]: readonly [string, string]): string => text.replace(new RegExp(`(['"])${from}\\1`), JSON.stringify(to))
  return written(`docs/readme/${name}`, Object.entries(files).reduce(replace, code))
}

test('compile under strict settings', () => {
  const doors = { ...sources, './todos.ts': sources['prelude']!, './App.tsx': '../../../test/contract/ssr/solidApp.ts' }
  const served = [...readText(projectRoot, 'docs/solid.md').matchAll(/^```tsx (?:server|page)\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
  const pages = [solid, ...served].map((code, n) => page(`solid-${n}.tsx`, `/** @jsxImportSource solid-js */\n${code}`, doors))
  pages.push(page('preact.tsx', `/** @jsxImportSource preact */\n${preact}`, doors))
  assert.is(pages.length, 4)
  assert.equal(compile(pages, '--types node --jsx react-jsx').split('\n').filter(line => line.includes('build/docs/readme')), [])
})

/** Waits for the list, ticks its first row, and waits for the server to have been asked for that. */
async function use(framework: string, code: string, mount: (App: unknown, page: HTMLElement) => () => void): Promise<void> {
  const file = page(`${framework}-${process.pid}.mjs`, code, { ...modules, './todos.ts': modules['prelude']! })
  const { fetch } = globalThis
  const asked = network()
  globalThis.fetch = asked as typeof fetch
  try {
    const { App } = (await import(file)) as { App: unknown }
    const root = document.createElement('div')
    const unmount = mount(App, root)
    await until(() => root.textContent === 'sow', `${framework}: the list`)
    root.querySelector('input')!.dispatchEvent(new Event('change'))
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

test('Preact shows the list and changes a row', () =>
  use('preact', transpile(preact, { fileName: 'page.tsx' }), (App, page) => {
    renderPreact(h(App as ComponentType, {}), page)
    return () => renderPreact(null, page)
  }))

test.run()
