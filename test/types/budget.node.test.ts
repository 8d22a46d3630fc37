import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile, written } from '../house/compiler.ts'

/**
 * What a resource, extended in three ways and used in six, may cost the compiler. Each takes about 4,190: 240 more since
 * the compiler refuses options that are misspelled.
 */
const budget = 4_200

const test = suite('the cost of types')

/** An application of some resources, each used in the ways that a page uses one. */
function application(resources: number): string {
  const each = (line: (n: number) => string): string => Array.from({ length: resources }, (_, n) => line(n)).join('')
  return `import { createResource, Entity, schema } from '../../src/index.ts'
import type { ViewOf } from '../../src/index.ts'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Item extends Entity {
  id = 0
  title = ''
  done = false
  due = new Date(0)
  owner = new User()
  static override key = 'Item'
  static override schema = { due: Date, owner: User }
}
export const imported: readonly unknown[] = [createResource, schema, Item]
${each(
  (n) => `
const R${n} = createResource({ urlPrefix: 'https://api.example.com', path: '/teams/:team/kind${n}/:id', schema: Item, searchParams: {} as { page?: number }, optimistic: true })
  .extend({ getList: { schema: { results: new schema.Collection([Item]), cursor: '' } } })
  .extend('close', { path: '/teams/:team/kind${n}/:id/close{/:reason}', method: 'POST', body: undefined })
  .extend(Base => ({ search: Base.getList.extend({ path: '/search/kind${n}', searchParams: {} as { q: string } }) }))
export async function use${n}(): Promise<unknown> {
  await R${n}.get({ team: 'a', id: 1 })
  await R${n}.getList({ team: 'a', page: 2 })
  await R${n}.getList.push({ team: 'a' }, { title: 'x' })
  await R${n}.partialUpdate({ team: 'a', id: 1 }, { done: true })
  await R${n}.close({ team: 'a', id: 1 })
  return R${n}.search.paginated('cursor')({ q: 'x', cursor: 'y' })
}
export type Shown${n} = [ViewOf<typeof R${n}.get>, ViewOf<typeof R${n}.getList>, ViewOf<typeof R${n}.search>]
`,
)}`
}

/** How many types the compiler makes of other types while it checks an application. */
function instantiations(resources: number): number {
  const file = written(`types/application-${resources}.ts`, application(resources))
  const stdout = compile([file], '--singleThreaded --extendedDiagnostics')
  assert.not.match(stdout, /application-\d+\.ts.*error/)
  const count = Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1])
  assert.ok(count > 0, stdout)
  return count
}

test('a resource stays within its budget of instantiations, and the twentieth costs what the tenth does', () => {
  const [none, ten, twenty] = [instantiations(0), instantiations(10), instantiations(20)]
  const first = (ten - none) / 10
  const later = (twenty - ten) / 10
  assert.ok(later <= budget, `${later} instantiations for each resource, over the budget of ${budget}`)
  assert.ok(later <= first * 1.05, `${first} for each of the first ten, ${later} for each of the next`)
  console.log(`\n  ${later} instantiations for each resource; the budget is ${budget}.`)
})

test.run()
