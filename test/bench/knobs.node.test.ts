import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../house/sources.ts'
import { command, fromBench, inFolder } from './bench.ts'

interface Knob {
  readonly standard: string
  readonly values: string
  readonly file?: string
  readonly find: RegExp
  write(value: string, found: string): string
}

const { KNOBS } = await fromBench<{ KNOBS: Record<string, Knob> }>('knobs/knobs.mjs')
const { turnKnob, valuesOf } = await fromBench<{
  turnKnob(words: string[], options: object): Promise<unknown>
  valuesOf(name: string, text?: string): string[]
}>('knobs/run.mjs')
const { readInput, schemaOf } = await fromBench<{
  readInput(payload?: string, schema?: string): unknown
  schemaOf(load: () => Promise<object>, url: string): Promise<unknown>
}>('knobs/input.mjs')

const test = suite('knobs')

const payload = { items: [{ id: 1, title: 'sow', user: { id: 7, name: 'Ada' } }] }
const entity = `import { Entity, type Fields } from 'patchcord'
enum Kind { Plain = 'plain' }
export class User extends Entity { id = 0; kind: Kind = Kind.Plain; static override key = 'User' }
class Todo extends Entity { id: number = 0; static override key = 'Todo'; static override schema: Fields = { user: User } }
`

/** Turns a knob over files of a user. */
const turn = (schema: string): Promise<{ code: number | null; out: string; error: string }> =>
  inFolder(folder => {
    const [json, types] = ['payload.json', 'schema.ts'].map(name => join(folder, name)) as [string, string]
    writeFileSync(json, JSON.stringify(payload))
    writeFileSync(types, `${entity}export default ${schema}`)
    return command(folder, 'run.mjs', 'knob', 'log', '1,10000', 'tune', 'late', '--quick', '--payload', json, '--schema', types)
  })

test('every knob finds its constant, and what the library has is what it says', () => {
  for (const [name, { file, find, standard, write }] of Object.entries(KNOBS)) {
    if (file === undefined) continue
    const found = [...readText(projectRoot, `build/src/${file}`).matchAll(new RegExp(find, 'g'))].map(([text]) => text)
    assert.ok(found.length > 0, `${name} finds nothing`)
    for (const text of found) assert.is(text.replaceAll(/(?<=\d)_(?=\d)/g, ''), write(standard, text), name)
  }
})

test('a range has the value of the library in it, and nothing that cannot be', () => {
  assert.equal([valuesOf('pages', '16,32'), valuesOf('pages', '16,64')], [['64', '16', '32'], ['16', '64']])
  assert.equal(valuesOf('log', '1_000'), ['10000', '1000'])
  assert.throws(() => valuesOf('pages', '3'), /pages: 3 is not a power of two from 2 to 1024\./)
  assert.throws(() => valuesOf('freeze', 'maybe'), /freeze: maybe is neither on nor off\./)
  assert.throws(() => valuesOf('gc-max', '-1'), /gc-max: -1 is not a whole number above 0\./)
})

test('is measured on a payload and a schema of the user, each value with a library of its own', async () => {
  const { code, error, out } = await turn('{ items: [Todo] }')
  assert.is(code, 0, error)
  // Two rows: one change is more than a log of one can hold.
  assert.match(out, /late answer, rows to be fetched again +2 +0\n/)
  assert.match(out, /log +1 +10000 \*/)
})

test('a schema that does not fit its payload is reported by the process that tries', async () => {
  const { code, error } = await turn('{ other: [Todo] }')
  assert.is(code, 2)
  assert.match(error, /The schema finds no entity in .*payload\.json\. Is the list below another field\?/)
})

test('a wrong file is an error that says what to do', () =>
  inFolder(async folder => {
    const [right, wrong, nowhere] = ['right.json', 'wrong.json', 'nowhere.json'].map(name => join(folder, name)) as [string, string, string]
    writeFileSync(right, '[]')
    writeFileSync(wrong, '{')
    for (const files of [[right], [undefined, right]] as const) assert.throws(() => readInput(...files), /A payload needs its schema, and a schema/)
    assert.throws(() => readInput(nowhere, right), /nowhere\.json/)
    assert.throws(() => readInput(wrong, right), /wrong\.json is no JSON/)
    assert.is(readInput(), undefined)

    const says = (module: () => Promise<object>): Promise<string> => schemaOf(module, 'file:///some/schema.ts').then(() => '', (error: Error) => error.message)
    assert.match(await says(() => Promise.reject(new Error('no such package'))), 'schema.ts does not load: no such package')
    assert.match(await says(async () => ({ Todo: 1 })), 'schema.ts has no default export. Write `export default` before the schema')
    assert.is(await says(async () => ({ default: 5 })), 'The default export of schema.ts is no schema but 5.')
    assert.is(await says(async () => ({ default: {} })), '')
  }))

test('a knob or a suite that is not there is reported', async () => {
  const says = (...words: string[]): Promise<string> => turnKnob(words, { effort: 'quick' }).then(() => '', (error: Error) => error.message)
  assert.match(await says('nonsense'), /There is no knob "nonsense"\.[^]*pages +rows in a page/)
  assert.match(await says('pages', '16', 'nonsense'), 'There is no suite "nonsense" for a knob.')
})

test.run()
