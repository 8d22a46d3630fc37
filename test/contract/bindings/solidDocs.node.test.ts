import { createComponent, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { complaints, run, withServer } from './docs.ts'
import { element } from './solidElement.ts'
import { mountSolid } from './solidFramework.ts'
import { compileSolid } from './solidJsx.ts'
import { shows } from './wire.ts'

/** The examples of docs/solid.md are one program: checked by the compiler, and each one's last component rendered. */
const test = suite('docs/solid.md')
withDom(test)
withServer(test, ['sow', 'reap'])

const found = readText(projectRoot, 'docs/solid.md').matchAll(/^```tsx\n([\s\S]*?)^```$(?:\n+```html\n([\s\S]*?)^```$)?/gm)
const blocks = [...found].map(([, code, html]) => ({ code: code!, html: html?.trim() }))
const rendered = blocks
  .filter(({ html }) => html !== undefined)
  .map(({ code, html }) => ({ name: [...code.matchAll(/^function (\w+)/gm)].at(-1)![1]!, html: html! }))
const program = `${blocks.map(({ code }) => code).join('\n')}\nexport { ${['controller', ...rendered.map(({ name }) => name)].join(', ')} }\n`

test('has an example of every hook', () => {
  for (const hook of ['useSuspense', 'useQuery', 'useCache', 'useFetch', 'useDLE', 'useLive', 'useLoading', 'useHistory', 'useController']) {
    assert.ok(blocks.some(({ code }) => code.includes(`= ${hook}(`) || code.includes(`  ${hook}(`)), hook)
  }
})

test('compiles under strict settings', () => {
  assert.equal(complaints('solid.tsx', program, 'preserve --jsxImportSource solid-js'), [])
})

test('shows what it says, on a real server', async () => {
  Object.assign(globalThis, { createComponent, element })
  const { controller, ...components } = (await run('solid', compileSolid(program))) as { controller: Controller } & Record<string, () => JSX.Element>
  for (const { name, html } of rendered) {
    const { page, unmount } = mountSolid(controller, components[name]!)
    await shows(() => page.innerHTML, html)
    unmount()
  }
  controller.dispose()
})

test.run()
