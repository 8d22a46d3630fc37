import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { planted, projectRoot } from './sources.ts'
import { isolationFaults } from './modules.ts'

const test = suite('INV-46: no module keeps what a store should')

test('nothing at the top of a module can change, except what is listed with its reason', () => {
  // Some of what is listed is in `src`, and some in the bindings: a scan that misses either finds allowances for nothing.
  assert.equal(isolationFaults(projectRoot), [])
})

test('a cache, a counter, a list, a static container and a stale allowance are found', () => {
  const faults = planted(
    {
      'src/base/planted.ts': [
        'export const users = new Map<string, object>()',
        'let last: unknown',
        'var older = 1',
        'const list: string[] = []',
        'const made = Object.create(null) as object',
        'export class Keeper { static readonly all = new Set<object>(); static key = 1; own = new Map() }',
        'const fine: readonly string[] = []',
        "const names = ['a'] as const",
        'const verbs = { a() {}, b: () => {}, list }',
        'const limit = 5',
        'export function f() { let inner = new Map(); return [inner, last, older, made, fine, names, verbs, limit] }',
      ].join('\n'),
      'src/schema/compile.ts': 'export const nothing = 1\n',
    },
    isolationFaults,
  )
  const own = faults.filter(fault => /planted|compile/.test(fault))
  assert.equal(own.map(fault => fault.split(' ').slice(0, 2).join(' ')).sort(), [
    'src/base/planted.ts Keeper.all',
    ...['last', 'list', 'made', 'older', 'users'].map(name => `src/base/planted.ts ${name}`),
    'src/schema/compile.ts compiled',
  ])
  assert.match(faults.find(fault => fault.includes('users'))!, 'keep it in the store')
})

test.run()
