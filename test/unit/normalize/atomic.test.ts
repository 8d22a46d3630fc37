import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatches, emptyState, Entity, exportState, normalize, schema } from '../../../src/index.ts'
import type { Fields, Meta, State } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { at, write } from '../../support/write.ts'

const test = suite('a response is taken in whole or not at all')

/** Counts the calls of user code, and throws at the one that is asked for. */
let calls = 0
let fatal = 0
function step(): void {
  if (++calls === fatal) throw new Error('thrown by the user')
}

class Tag extends Entity {
  static override key = 'Tag'
  override pk(): string {
    step()
    return (this as unknown as { id: string }).id
  }
}
class Post extends Entity {
  static override key = 'Post'
  static override schema = { tags: [Tag], kind: new schema.Union({ tag: Tag }, (value: Fields) => (step(), value['type'] as string)) }
  static override process(input: Fields): Fields | undefined {
    step()
    return input['gone'] ? undefined : { ...input }
  }
  static override validate(): undefined {
    step()
  }
  static override shouldUpdate(): boolean {
    step()
    return true
  }
  static override merge(existing: Fields, incoming: Fields): Fields {
    step()
    return { ...existing, ...incoming }
  }
  static override mergeMetaWithStore(_existing: Meta, incoming: Meta): Meta {
    step()
    return incoming
  }
}
class Fresh extends Entity {
  static override key = 'Fresh'
  static override validate(): undefined {
    step()
  }
}
const posts = new schema.Collection([Post], { argsKey: () => (step(), {}), createCollectionFilter: () => (step(), () => (step(), true)) })
const answer = {
  list: posts,
  made: posts.push,
  own: posts.addWith((list: string[], made: string[]) => (step(), [...list, ...made])),
  moved: posts.move,
  gone: new schema.Invalidate(Tag),
  fresh: [Fresh],
}
const response = {
  list: [{ id: '1', tags: [{ id: 'a' }, { id: 'new' }], kind: { id: 'b', type: 'tag' } }, { id: '1', again: true }, { id: '5', gone: true }],
  made: { id: '2', title: 'changed' },
  own: { id: '7' },
  moved: { id: '3' },
  gone: { id: 'a' },
  fresh: [{ id: 'f1' }, { id: 'f2' }],
}

/** What every version of a state shares, as far as others could notice. */
const cells = (state: State): unknown => state.cells!.tables.map((table) => [table.key, table.size])

test('a throw at any call of user code leaves state and cells as they were', () => {
  fatal = 0
  const before = write({ list: posts, tags: [Tag] }, { list: [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '5' }], tags: [{ id: 'a' }] }, emptyState, [], at(1)).state
  calls = 0
  const { change } = write(answer, response, before, [], at(2))
  const total = calls
  const [data, identities] = [JSON.stringify(exportState(before)), cells(before)]
  assert.ok(total > 30, `${total} calls of user code`)
  for (fatal = 1; fatal <= total; fatal++) {
    calls = 0
    assert.match(caught(() => normalize(answer, response, [], before, at(2))).message, 'thrown by the user')
    assert.is(JSON.stringify(exportState(before)), data)
    assert.equal(cells(before), identities)
  }
  fatal = 0
  const again = normalize(answer, response, [], before, at(2))
  assert.equal(again.patches, change.patches)
  assert.equal(again.stamps, change.stamps)
})

test('a throw leaves no cell and no table behind', () => {
  fatal = 0
  const before = write([Tag], [{ id: 'a' }]).state
  const identities = cells(before)
  calls = 0
  fatal = 4
  caught(() => normalize({ tags: [Tag], fresh: [Fresh] }, { tags: [{ id: 'x' }, { id: 'y' }], fresh: [{ id: 'f' }, { id: 'g' }] }, [], before))
  assert.equal(cells(before), identities)
  fatal = 0
  normalize({ tags: [Tag], fresh: [Fresh] }, { tags: [{ id: 'x' }], fresh: [{ id: 'f' }] }, [], before)
  assert.equal(cells(before), identities, 'normalize alone stores nothing')
})

test('a patch set of which one is refused leaves state and cells as they were', () => {
  fatal = 0
  const { state } = write([Tag], [{ id: 'a', n: 1 }])
  const [data, identities] = [JSON.stringify(exportState(state)), cells(state)]
  assert.throws(() =>
    applyPatches(state, [
      { op: 'replace', path: ['entities', 'Tag', 'a', 'n'], value: 2 },
      { op: 'add', path: ['entities', 'Tag', 'b'], value: { id: 'b' } },
      { op: 'add', path: ['entities', 'Elsewhere', 'c'], value: { id: 'c' } },
      { op: 'add', path: ['endpoints', 'GET /x'], value: 1 },
      { op: 'remove', path: ['entities', 'Tag', 'a'] },
      { op: 'replace', path: ['entities', 'Tag', 'a', 'n'], value: 3 },
    ]),
  )
  assert.is(JSON.stringify(exportState(state)), data)
  assert.equal(cells(state), identities)
  assert.is(applyPatches(state, []), state)
})

test.run()
