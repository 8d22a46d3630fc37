import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anyFaults, shapeFaults, suiteFaults } from './shape.ts'
import { filesBelow, planted, projectRoot } from './sources.ts'

const test = suite('the shape of files')

test('every file is well named and exports by name', () => assert.equal(shapeFaults(projectRoot), []))

test('a vague name and exports without a name are found', () => {
  const files = { 'src/base/utils.ts': '', 'bindings/solid/helpers/x.ts': '', 'src/base/star.ts': "export * from './keys.ts'\n" }
  assert.equal(planted(files, shapeFaults), [
    'src/base/utils.ts does not say in its name what it does.',
    'bindings/solid/helpers/x.ts does not say in its name what it does.',
    'src/base/star.ts exports everything of another file; list the names.',
  ])
})

test('every test file runs its own tests', () => assert.equal(suiteFaults(projectRoot), []))

test('a test file that does not end in run() is found', () => {
  const faults = planted({ 'test/planted.test.ts': "test('a', () => {})\n// test.run()\n" }, suiteFaults)
  assert.equal(faults, ['test/planted.test.ts does not end in .run(), so its tests would run elsewhere or not at all.'])
})

test('no public type is any', () => {
  assert.ok(filesBelow(projectRoot, 'dist/types', '.d.ts').length > 5)
  assert.equal(anyFaults(projectRoot), [])
})

test('an any in a public type is found, but not one in a constraint', () => {
  const lines = [
    'export declare const a: Promise<any>',
    'export type Of<T> = T extends (...args: any) => infer R ? R : never',
    'export declare function b<T extends (...args: any[]) => unknown>(t: T): ReturnType<T>',
  ]
  const faults = planted({ 'dist/types/src/planted.d.ts': lines.join('\n') }, anyFaults)
  assert.equal(faults, ['dist/types/src/planted.d.ts:1 has an any in a public type: Promise<any>'])
})

test.run()
