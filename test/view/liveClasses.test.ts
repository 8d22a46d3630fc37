import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../src/index.ts'
import { LiveStore } from './liveStore.ts'

const test = suite('live objects: what classes say')

test('a relation that a class is told of later is followed', () => {
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

test.run()
