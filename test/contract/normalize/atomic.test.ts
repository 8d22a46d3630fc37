import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, Entity, exportState, normalize, schema } from '../../../src/index.ts'
import type { Fields } from '../../../src/index.ts'
import { caught } from '../../support/caught.ts'
import { at, write } from '../../support/write.ts'
import { entity } from '../schema/todos.ts'

const test = suite('a response is taken in whole or not at all')

/** Counts the calls of user code, and throws at the one that is asked for. */
let calls = 0
let fatal = 0
function step<T>(value: T): T {
  if (++calls === fatal) throw new Error('thrown by the user')
  return value
}

class Tag extends Entity {
  static override key = 'Tag'
  id = ''
  override pk(): string {
    return step(this.id)
  }
}
const Post = entity('Post', {
  schema: { tags: [Tag], kind: new schema.Union({ tag: Tag }, (value: Fields) => step(value['type'])) },
  process: (input) => step(input['gone'] ? undefined : { ...input }),
  validate: () => step(undefined),
  shouldUpdate: () => step(true),
  merge: (existing, incoming) => step({ ...existing, ...incoming }),
  mergeMetaWithStore: (_existing, incoming) => step(incoming),
})
const Fresh = entity('Fresh', { validate: () => step(undefined) })
const posts = new schema.Collection([Post], { argsKey: () => step({}), createCollectionFilter: () => step(() => step(true)) })
const answer = {
  list: posts,
  made: posts.push,
  own: posts.addWith((list: string[], made: string[]) => step([...list, ...made])),
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

test('a throw at any call of user code leaves the state as it was', () => {
  fatal = 0
  const stored = { list: [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '5' }], tags: [{ id: 'a' }] }
  const before = write({ list: posts, tags: [Tag] }, stored, emptyState, [], at(1)).state
  const data = JSON.stringify(exportState(before))
  calls = 0
  const { patches, stamps } = normalize(answer, response, [], before, at(2))
  const total = calls
  assert.ok(total > 30, `${total} calls of user code`)
  for (fatal = 1; fatal <= total; fatal++) {
    calls = 0
    assert.match(caught(() => normalize(answer, response, [], before, at(2))).message, 'thrown by the user')
    assert.is(JSON.stringify(exportState(before)), data)
  }
  fatal = 0
  const again = normalize(answer, response, [], before, at(2))
  assert.equal([again.patches, again.stamps], [patches, stamps])
  assert.is(JSON.stringify(exportState(before)), data)
})

test.run()
