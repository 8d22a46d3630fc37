import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity, type Fields } from '../../../src/index.ts'
import { LiveStore, watch } from './liveStore.ts'

const test = suite('live objects: what classes say')

test('a relation that a class is reported later is followed', () => {
  class Author extends Entity {
    id = ''
    name = ''
    static override key = 'Author'
  }
  class Book extends Entity {
    id = ''
    author: Author | undefined = undefined
    static override key = 'Book'
    static override schema: { [field: string]: unknown } = {}
  }
  const at = new LiveStore()
  at.write([Book, { id: '1' }])
  const book = at.live.entity(Book, '1')!
  assert.is(book.author, undefined)
  Book.schema['author'] = Author
  at.write([[Book], [{ id: '1', author: { id: 'a', name: 'x' } }, { id: '2', author: 'a' }]])
  assert.is(at.live.entity(Book, '2')!.author!.name, 'x')
  assert.is(book.author, at.live.entity(Author, 'a'))
})

test('what a class makes the same each time wakes nobody, and is the same object', () => {
  class Shift extends Entity {
    id = ''
    title = ''
    from = 0
    tags: string[] = []
    span: { start: Date; open: boolean } | undefined = undefined
    static override key = 'Shift'
    static override fromJS<T>(this: T, props: Fields = {}): never {
      const made = Object.assign(new (this as new () => Shift)(), props)
      made.span = { start: new Date(made.from), open: made.title === '' }
      return made as never
    }
  }
  const at = new LiveStore()
  at.write([Shift, { id: '1', title: 'a', from: 1 }])
  const shift = at.live.entity(Shift, '1')!
  const [tags, span] = [watch(() => shift.tags), watch(() => shift.span)]
  const before = [shift.tags, shift.span]
  at.write([Shift, { id: '1', title: 'b' }])
  assert.equal([shift.title, tags.runs, span.runs], ['b', 1, 1])
  assert.is(shift.tags, before[0])
  assert.is(shift.span, before[1])
  at.write([Shift, { id: '1', title: '', from: 2, tags: ['x'] }])
  assert.equal([tags.last, span.last, tags.runs, span.runs], [['x'], { start: new Date(2), open: true }, 2, 2])
})

test.run()
