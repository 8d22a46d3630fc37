import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { filesBelow, projectRoot, readText } from '../../house/sources.ts'

const test = suite('what the bindings take of their frameworks')

/** The values that files import from packages, as `package name`. */
function taken(files: string[]): string[] {
  const imports = files.flatMap(file => [...readText(projectRoot, file).matchAll(/^(?:import|export) (?!type )([^']*?) from '([^.'][^']*)'/gm)])
  const values = imports.flatMap(([, names = '', from]) => names.replace(/[{}]/g, '').split(',').map(name => `${from} ${name.trim()}`))
  return [...new Set(values)].filter(value => !value.includes(' type ')).sort()
}

test("Solid's reactive core is touched by one file: another core needs another of that", () => {
  const files = filesBelow(projectRoot, 'bindings/solid', '.ts')
  const core = files.filter(file => file.endsWith('/reactive.ts'))
  assert.ok(taken(core).includes('solid-js createResource'))
  const structure = ['solid-js createComponent', 'solid-js createContext', 'solid-js useContext']
  assert.equal(taken(files.filter(file => !core.includes(file))), structure)
})

test('Preact is taken without preact/compat', () => {
  const packages = new Set(taken(filesBelow(projectRoot, 'bindings/preact', '.ts')).map(value => value.split(' ')[0]))
  assert.equal([...packages], ['@preact/signals', 'preact', 'preact/hooks'])
})

test.run()
