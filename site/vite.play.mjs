import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const entries = { patchcord: 'index', 'patchcord/changes': 'changes', 'patchcord/devtools': 'devtools', 'patchcord/history': 'history', 'patchcord/push': 'push', 'patchcord/outbox': 'outbox', 'patchcord/persist': 'persist', 'patchcord/tabs': 'tabs', 'patchcord/preact': 'preact', 'patchcord/solid': 'solid', 'patchcord/testing': 'testing' }
const frameworks = ['@preact/signals', '@preact/signals-core', 'idb', 'immer', 'preact', 'solid-js']

/** The page that runs examples: the built library from `dist`, and the frameworks that the library is tested with. */
export const playConfig = (outDir) => ({
  root: join(here, 'play'),
  base: './',
  configFile: false,
  logLevel: 'error',
  // Babel reads it.
  define: { 'process.env.BABEL_TYPES_8_BREAKING': 'undefined', 'process.env.NODE_ENV': '"production"' },
  plugins: [{
    name: 'the built library',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'assert') return join(here, 'play/assert.mjs')
      if (entries[source]) return join(root, 'dist', `${entries[source]}.js`)
      // The prelude of the tests imports the sources; here it gets the same modules as the examples.
      if (/\/src\/index\.ts$/.test(source)) return join(root, 'dist/index.js')
      if (/\/src\/testing\/index\.ts$/.test(source)) return join(root, 'dist/testing.js')
      if (importer && frameworks.some((name) => source === name || source.startsWith(`${name}/`))) return this.resolve(source, join(root, 'package.json'), { skipSelf: true })
      return undefined
    },
  }],
  build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4_000 },
})
