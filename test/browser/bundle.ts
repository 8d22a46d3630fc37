import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import type { Plugin } from 'rollup'

interface Suite {
  readonly name: string
  readonly file: string
}

/** Before everything that uvu itself writes. */
export const marker = 'uvu|'

/** Bundles compiled suites for a page; `entry.js` runs them all. What `first` resolves comes before all else. */
export async function bundleSuites(root: string, suites: readonly Suite[], dir: string, first: readonly Plugin[] = []): Promise<void> {
  const config = (await import(pathToFileURL(join(root, 'rollup.config.mjs')).href)) as { vendored: Plugin }
  const bundle = await rollup({
    input: { entry: 'suites' },
    // The package says that its files have no side effects; a test file is nothing else.
    treeshake: false,
    plugins: [
      ...first,
      entry(suites),
      // The same Immer as in dist/, so that no `process` has to be made up for the page.
      config.vendored,
      withoutDomShim,
      maps,
      nodeResolve({ browser: true, exportConditions: ['browser'] }),
    ],
    onwarn(warning, warn) {
      if (warning.code !== 'CIRCULAR_DEPENDENCY') warn(warning)
    },
  })
  await bundle.write({ dir, format: 'es', sourcemap: true })
  await bundle.close()
}

/** A page has a real DOM. */
const withoutDomShim: Plugin = {
  name: 'without DOM shim',
  resolveId: (source) => (source === 'happy-dom' ? '\0none' : null),
  load: (id) => (id === '\0none' ? 'export const Window = undefined' : null),
}

/** Failures then point at the .ts files. */
const maps: Plugin = {
  name: 'maps',
  load(id) {
    if (!id.includes('/build/')) return null
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }
  },
}

/** Loads the suites one after the other, as uvu's own command does in Node, and runs them. */
function entry(suites: readonly Suite[]): Plugin {
  const loads = suites.map(({ name, file }) => `[${JSON.stringify(name)}, () => import(${JSON.stringify(file)})]`)
  const code = `
    globalThis.UVU_DEFER = 1
    // In a page uvu writes its marks with console.log; the prefix tells them from what a test logs.
    const { log } = console
    console.log = (text) => log('${marker}' + text)
    const { exec } = await import('uvu')
    console.log = log
    let index = 0
    try {
      for (const [name, load] of [${loads.join(',\n')}]) {
        globalThis.UVU_INDEX = index++
        globalThis.UVU_QUEUE.push([name])
        await load()
      }
      await exec()
    } finally {
      globalThis.finished = true
    }
  `
  return { name: 'entry', resolveId: (source) => (source === 'suites' ? '\0suites' : null), load: (id) => (id === '\0suites' ? code : null) }
}
