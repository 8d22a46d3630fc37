import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { announce, root, run, tsc } from '../.ci/steps.mjs'

export const frameworks = ['solid', 'preact']

/** Compiles both applications and makes their pages: a map from path to `{ type, body }`. */
export async function buildPages() {
  announce('demo: types and modules')
  if ((await run([...tsc, '-p', 'examples'])).code !== 0) throw new Error('The demo does not compile.')
  announce('demo: pages')
  const pages = new Map([
    ['/', file('text/html', 'page/index.html')],
    ['/style.css', file('text/css', 'page/style.css')],
    ...frameworks.map(name => [`/${name}/`, file('text/html', 'page/app.html')]),
  ])
  for (const { fileName, code } of await bundle(name => join(root, `build/examples/${name}/main.js`))) {
    pages.set(`/${fileName}`, { type: 'text/javascript', body: code })
  }
  announce('demo done')
  return pages
}

const file = (type, name) => ({ type: `${type}; charset=utf-8`, body: readFileSync(new URL(name, import.meta.url)) })

/** `solid/app.js`, `preact/app.js`, and beside them what both share: so the pages need no network but this server. */
export async function bundle(entryOf, plugins = []) {
  const bundled = await rollup({
    input: Object.fromEntries(frameworks.map(name => [name, entryOf(name)])),
    plugins: [...plugins, nodeResolve({ browser: true, exportConditions: ['browser'] })],
  })
  const { output } = await bundled.generate({ format: 'es', entryFileNames: '[name]/app.js', chunkFileNames: 'tracker.js' })
  await bundled.close()
  return output
}
