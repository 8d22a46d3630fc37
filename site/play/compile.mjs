import { transform } from 'sucrase'

/**
 * TypeScript to the body of an async function that gets its modules from `require`. Solid needs its own compiler, which
 * is large: it is loaded when an example of Solid runs.
 */
export async function compile(source, language) {
  const code = language === 'solid' ? await compileSolid(source) : transform(source, settings[language]).code
  const imports = [...new Set([...code.matchAll(/require\(['"]([^'"]+)['"]\)/g)].map(([, name]) => name))]
  return { code, imports }
}

const settings = {
  ts: { transforms: ['typescript', 'imports'] },
  preact: { transforms: ['typescript', 'jsx', 'imports'], jsxRuntime: 'automatic', jsxImportSource: 'preact', production: true },
}

async function compileSolid(source) {
  const [{ transform }, { default: solid }] = await Promise.all([import('@babel/standalone'), import('babel-preset-solid')])
  const { code } = transform(source, {
    filename: 'example.tsx',
    presets: [solid, ['typescript', { allowDeclareFields: true }]],
    plugins: ['transform-modules-commonjs'],
  })
  return code
}
