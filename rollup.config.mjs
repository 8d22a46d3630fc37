import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const sources = resolve('build/src')
const front = join(sources, 'index.js')
/** Rooms that are a door of their own. */
const doors = ['history', 'push', 'changes', 'tabs', 'persist', 'outbox', 'devtools', 'testing']
const immer = dirname(createRequire(import.meta.url).resolve('immer/package.json'))

/** Hands rollup the maps of tsc, so that those of dist/ point at the .ts files. Immer's own would weigh ten times its code. */
const maps = {
  name: 'maps',
  load(id) {
    if (id.startsWith(immer)) return { code: readFileSync(id, 'utf8'), map: { mappings: '' } }
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
  },
}

/**
 * Immer's entry reads `process.env` while it loads, which ends a page that has no `process`, and
 * behaves differently by its value. So its production build travels with us, in a file of its own:
 * inside index.js no bundler could drop it for those who import an entity class only.
 */
export const vendored = {
  name: 'vendored immer',
  resolveId: (source) => (source === 'immer' ? join(immer, 'dist/immer.production.mjs') : null),
}

/** No `!` and no `@license`: minifiers would keep it, and a user who bundles pays for it with half a kilobyte. */
const license = () => `/* Immer, vendored.\n${readFileSync(join(immer, 'LICENSE'), 'utf8').trim()}\n*/`

export default {
  input: {
    index: 'build/src/index.js',
    history: 'build/src/history/index.js',
    push: 'build/src/push/index.js',
    changes: 'build/src/changes/index.js',
    tabs: 'build/src/tabs/index.js',
    persist: 'build/src/persist/index.js',
    outbox: 'build/src/outbox/index.js',
    devtools: 'build/src/devtools/index.js',
    solid: 'build/bindings/solid/index.js',
    preact: 'build/bindings/preact/index.js',
    testing: 'build/src/testing/index.js',
  },
  external: /^(solid-js|preact|@preact\/|idb$)/,
  // The same promise that package.json gives: no import for its effect alone.
  treeshake: { moduleSideEffects: false },
  plugins: [vendored, maps],
  output: {
    dir: 'dist',
    format: 'es',
    sourcemap: true,
    banner: (chunk) => (chunk.name === 'immer' ? license() : ''),
    chunkFileNames: '[name].js',
    hoistTransitiveImports: false,
    // Names that somebody can search for, in core.js.
    minifyInternalExports: false,
    /** The front door and the history share one core; whoever imports both must not have two. */
    manualChunks(id) {
      if (id.startsWith(immer)) return 'immer'
      const door = doors.find((name) => id.startsWith(join(sources, name)))
      // Rooms that enter through the front door must not draw it into their own chunk.
      if (id === front) return 'index'
      return id.startsWith(sources) ? (door ?? 'core') : undefined
    },
  },
}
