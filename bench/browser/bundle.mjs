import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'

const root = fileURLToPath(new URL('../..', import.meta.url))
const fromRoot = createRequire(`${root}package.json`)

/** The library as it is published, and one copy of each framework for all contenders. */
const shared = library => ({
  name: 'shared',
  async resolveId(source, _importer, options) {
    const door = /^patchcord(?:\/(\w+))?$/.exec(source)
    if (door) return `${library}/${door[1] ?? 'index'}.js`
    if (!/^(solid-js|preact|@preact)(\/|$)/.test(source)) return null
    return this.resolve(source, fromRoot.resolve('uvu'), { ...options, skipSelf: true })
  },
})

/** Libraries that ask for the environment get the answer that a production bundler would write into them. */
const production = {
  name: 'production',
  transform: code => (code.includes('process.env') ? { code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null } : null),
}

/** The page of `entry`, in `dir`. `library` is where the doors of patchcord are. */
export async function bundlePage(entry, dir, library = `${root}dist`) {
  const bundle = await rollup({
    input: { page: fileURLToPath(new URL(entry, import.meta.url)) },
    plugins: [shared(library), nodeResolve({ browser: true, exportConditions: ['browser'] }), production],
    onwarn() {},
  })
  await bundle.write({ dir, format: 'es', inlineDynamicImports: true })
  await bundle.close()
}
