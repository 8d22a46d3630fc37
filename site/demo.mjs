import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rollup } from 'rollup'
import { buildPages } from '../examples/build.mjs'
import { root } from '../.ci/steps.mjs'

const node = { 'node:http': 'http.mjs', 'node:timers/promises': 'timers.mjs' }

/** Writes the demo into a folder: its pages, and its server as a script that answers in the page. */
export async function buildDemo(folder) {
  for (const [path, { body }] of await buildPages()) {
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, path.endsWith('/') ? inFolder(String(body), path === '/' ? '.' : '..') : body)
  }
  const bundle = await rollup({
    input: join(root, 'site/demo/server.mjs'),
    plugins: [{ name: 'node in a page', resolveId: (source) => (node[source] ? join(root, 'site/demo', node[source]) : undefined) }],
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  writeFileSync(join(folder, 'server.js'), output[0].code)
}

/** The page as a part of the site: addresses are relative, and the server starts before the application. */
const inFolder = (html, up) =>
  html
    .replaceAll(/(href|src)="\/(?!\/)/g, `$1="${up}/`)
    .replace('<script type="module"', `<script type="module" src="${up}/server.js"></script>\n    <script type="module"`)
