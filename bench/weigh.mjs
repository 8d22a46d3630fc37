import { brotliCompressSync, gzipSync } from 'node:zlib'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
import { minify } from 'terser'

/** Whoever uses a binding has the framework already. */
const frameworks = /^(solid-js|preact|react|@preact\/signals)(\/|$)/

/** Libraries that ask for the environment get the answer that a production bundler would write into them. */
const production = {
  name: 'production',
  transform: code => (code.includes('process.env.NODE_ENV') ? { code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null } : null),
}

/** Some rivals still depend on a module of the old kind: its names become those of what it exports. */
const commonjs = {
  name: 'commonjs',
  transform(code) {
    if (!/\bexports\b/.test(code) || this.parse(code).body.some(({ type }) => /^(Import|Export)/.test(type))) return null
    const needed = [...new Set([...code.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, source]) => source))]
    const imports = needed.map((source, at) => `import needed${at} from ${JSON.stringify(source)}`).join('\n')
    const table = needed.map((source, at) => `${JSON.stringify(source)}: needed${at}`).join()
    return {
      code: `${imports}\nconst module = { exports: {} }, needed = { ${table} };\n(function (module, exports, require) {${code}\n})(module, module.exports, name => needed[name])\nexport default module.exports`,
      map: null,
      syntheticNamedExports: true,
    }
  },
}

/**
 * One file of a module and all that it imports, as a production bundler would make it, not minified.
 *
 * @param {string} root Where names of packages are looked up.
 * @param {string} code
 * @param {import('rollup').OutputOptions} [output]
 */
export async function bundled(root, code, output = { format: 'es' }) {
  const bundle = await rollup({
    input: 'entry',
    external: frameworks,
    plugins: [
      {
        name: 'entry',
        resolveId: source => (source === 'entry' ? '\0entry' : null),
        load: id => (id === '\0entry' ? code : null),
      },
      nodeResolve({ browser: true, rootDir: root }),
      production,
      commonjs,
    ],
    onwarn({ code, exporter, message }) {
      // Left alone it would become an import from nowhere that weighs nothing.
      if (code === 'UNRESOLVED_IMPORT') throw new Error(`${exporter} is not installed`)
      if (code === 'MISSING_EXPORT') throw new Error(message)
    },
  })
  const { output: files } = await bundle.generate(output)
  await bundle.close()
  // A part that is loaded later is not in the first file; what both need would be in neither, and weigh nothing.
  if (files[0].imports.some(file => files.some(({ fileName }) => fileName === file))) throw new Error('it is loaded in parts')
  return files[0]
}

/**
 * What imports weigh: bundled with their dependencies, minified, compressed.
 *
 * @param {string} root Where names of packages are looked up.
 * @param {Record<string, readonly string[]>} from Module to the names that are imported from it.
 */
export async function weigh(root, from) {
  const entry = Object.entries(from)
    .map(([module, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(module)}`)
    .join('\n')
  const { code, modules } = await bundled(root, entry)
  const { code: small } = await minify(code, { module: true, compress: { passes: 2 } })
  return {
    modules: Object.keys(modules),
    bytes: small.length,
    gzip: gzipSync(small, { level: 9 }).length,
    brotli: brotliCompressSync(small).length,
  }
}
