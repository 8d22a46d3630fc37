import { batch, computed, effect, signal, untracked } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { All, Entity, schema } from '../../../src/index.ts'
import { begun, get, getList, open, Todo, titleOf, type Page } from './page.ts'

const test = suite('regressions: views, signals, listeners')

const rename = ({ controller }: Page, title: string, id = '1'): void => controller.set(Todo, { id }, todo => void (todo.title = title))

/** What a reader has seen. */
function seen<T>(read: () => T): { readonly values: T[]; stop(): void } {
  const values: T[] = []
  return { values, stop: effect(() => void values.push(read())) }
}

test('signals#947 there and back in one batch wakes nobody, and what comes after it does', () => {
  const page = begun()
  const title = computed(() => titleOf(page))
  const { values } = seen(() => title.value)
  batch(() => {
    rename(page, 'b')
    rename(page, 'old')
  })
  rename(page, 'c')
  assert.equal(values, ['old', 'c'])
})

test('signals#145 inside of a batch everything that is read is current', () => {
  const page = begun()
  const view = page.controller.view(get, { id: '1' })
  const shout = computed(() => view.value!.title.toUpperCase())
  const { stop } = seen(() => shout.value)
  batch(() => {
    rename(page, 'new')
    assert.equal([titleOf(page), view.value!.title, shout.value], ['new', 'new', 'NEW'])
  })
  stop()
})

test('signals#536 what is read in an untracked of an untracked, and written there, brings nobody back', () => {
  const { controller, reported } = begun()
  const tick = signal(0)
  let runs = 0
  effect(() => {
    void tick.value
    runs++
    untracked(() => {
      const n = untracked(() => controller.get(Todo, { id: '1' })!.n)
      controller.set(Todo, { id: '1' }, todo => void (todo.n = n + 1))
    })
  })
  tick.value++
  assert.equal([runs, controller.get(Todo, { id: '1' })!.n, reported.length], [2, 3, 0])
})

test('signals#207 #245 a reader that throws at its first run, or when it is released, is gone, and stops nobody', () => {
  const page = begun()
  let runs = 0
  const failing = (): void => {
    runs++
    titleOf(page)
    throw new Error('first run')
  }
  assert.throws(() => effect(failing), 'first run')
  const stop = effect(() => {
    titleOf(page)
    return () => {
      throw new Error('cleanup')
    }
  })
  const { values } = seen(() => titleOf(page))
  assert.throws(stop, 'cleanup')
  rename(page, 'new')
  assert.equal([runs, values], [1, ['old', 'new']])
})

test('nanostores#300 a view that was left, and has changed meanwhile, is current when it is read again', () => {
  const page = begun()
  const title = computed(() => page.controller.view(get, { id: '1' }).value?.title)
  seen(() => title.value).stop()
  rename(page, 'new')
  assert.is(title.value, 'new')
  assert.equal(seen(() => title.value).values, ['new'])
})

test('data-client#3925 however often a view is found in the cache, all that it shows still wakes it', () => {
  class Post extends Entity {
    id = ''
    author = Todo.fromJS()
    static override key = 'Post'
    static override schema = { author: Todo }
  }
  const page = begun()
  const posts = [Post]
  page.controller.set(posts, [{ id: 'a', author: { id: '1' } }, { id: 'b', author: '1' }])
  const everything = new All(Post)
  const read = (): string => page.controller.get(everything)!.map(post => post.author.title).join()
  const first = seen(read)
  for (let i = 0; i < 5; i++) read()
  const second = seen(read)
  for (const title of ['x', 'y']) {
    rename(page, title)
    for (let i = 0; i < 5; i++) read()
  }
  assert.equal([first.values, second.values], [['old,old', 'x,x', 'y,y'], ['old,old', 'x,x', 'y,y']])
})

test('zero#6065 #6104 two questions with the same arguments are two views', () => {
  const { controller } = begun()
  controller.setResponse(getList, [{ id: '1' }, { id: '2', title: 'two' }])
  const all = new All(Todo)
  const two = new schema.Query(all, (todos: readonly Todo[], { id }: { id: string }) => todos.filter(todo => todo.id === id))
  const one = new schema.Query(all, (todos: readonly Todo[], { id }: { id: string }) => todos.find(todo => todo.id === id))
  const args = { id: '2' }
  assert.equal([controller.get(two, args)!.length, controller.get(one, args)!.title, controller.get(Todo, args)!.title, controller.get(all)!.length], [1, 'two', 'two', 2])
})

test('zero#3608 one answer that changes a list and three of its rows wakes its reader once', () => {
  const { controller } = begun()
  controller.setResponse(getList, [{ id: '1' }, { id: '2' }, { id: '3' }])
  const list = controller.view(getList)
  // By signals of their own, so that nothing but the batch makes one run of it.
  const { values } = seen(() => list.value!.map(({ id }) => controller.get(Todo, { id })!.title).join())
  controller.setResponse(getList, [{ id: '4', title: 'd' }, { id: '3', title: 'c' }, { id: '2', title: 'b' }, { id: '1', title: 'a' }])
  assert.equal(values, ['old,,', 'd,c,b,a'])
})

test('apollo-client#8826 #8852 who watches before a reset watches after it', () => {
  const page = begun()
  const { values } = seen(() => titleOf(page))
  const { values: live } = seen(() => (page.controller.live(get, { id: '1' }) as Todo | undefined)?.title)
  page.controller.reset()
  page.controller.setResponse(get, { id: '1' }, { id: '1', title: 'again' })
  assert.equal([values, live], [['old', undefined, 'again'], ['old', undefined, 'again']])
})

test('TanStack/query#11242 a listener that throws hears of the next commit, and so do the others', () => {
  const page = begun()
  const heard: string[] = []
  page.controller.subscribePatches(({ cause }) => {
    heard.push(`first ${cause}`)
    throw new Error('listener')
  })
  page.controller.subscribePatches(({ cause }) => void heard.push(`second ${cause}`))
  rename(page, 'a')
  page.controller.applyPatches([{ op: 'replace', path: ['entities', 'Todo', '1', 'title'], value: 'b' }], { origin: 'tab' })
  assert.equal(heard, ['first set', 'second set', 'first applyPatches', 'second applyPatches'])
  assert.equal([titleOf(page), page.reported.length], ['b', 2])
})

test('replicache#2591 who has left hears of no later commit, also when he left during one', () => {
  const page = begun()
  const heard: string[] = []
  const leave = page.controller.subscribePatches(() => (heard.push('first'), leave()))
  const second = page.controller.subscribePatches(() => void heard.push('second'))
  const { values, stop } = seen(() => titleOf(page))
  rename(page, 'a')
  second()
  stop()
  rename(page, 'b')
  assert.equal([heard, values], [['first', 'second'], ['old', 'a']])
})

test('TanStack/query#9017, urql#866 a deletion reaches everybody who has a copy', () => {
  const { controller } = begun()
  const received: unknown[] = []
  controller.subscribePatches(({ basePatches }) => void received.push(...basePatches))
  controller.set(new schema.Invalidate(Todo), { id: '1' }, { id: '1' })
  assert.equal(received, [{ op: 'remove', path: ['entities', 'Todo', '1'] }])
})

test('TanStack/query#7966 #8004 an updater that throws changes nothing, says so to its caller, and spoils no later one', () => {
  const page = begun()
  const history = createHistory(page.controller)
  const before = page.controller.snapshot()
  const { values } = seen(() => titleOf(page))
  assert.throws(() => page.controller.set(Todo, { id: '1' }, todo => {
    todo.title = 'half'
    throw new Error('updater')
  }), 'updater')
  assert.is(page.controller.snapshot(), before)
  rename(page, 'new')
  assert.equal([values, history.canUndo.value], [['old', 'new'], true])
})

test('TanStack/db#1198 #450 readers that write what wakes them are stopped and reported, and the store lives on', () => {
  const page = begun()
  const stops = [1, 2].map(by => {
    try {
      return effect(() => {
        const { n } = page.controller.get(Todo, { id: '1' })!
        page.controller.set(Todo, { id: '1' }, todo => void (todo.n = n + by))
      })
    } catch (error) {
      page.reported.push(error)
      return () => {}
    }
  })
  assert.ok(page.reported.length > 0)
  for (const stop of stops) stop()
  const { values } = seen(() => titleOf(page))
  rename(page, 'new')
  assert.equal(values, ['old', 'new'])
})

test('immer open: 0 for -0, and NaN for NaN, is no change, no commit, and wakes nobody', () => {
  const { controller } = open()
  controller.set(Todo, { id: '1', n: 0, deep: { n: NaN } })
  let patches = 0
  controller.subscribePatches(commit => void (patches += commit.patches.length))
  const { values } = seen(() => controller.get(Todo, { id: '1' }))
  const { entities } = controller.snapshot()
  controller.set(Todo, { id: '1', n: -0, deep: { n: NaN } })
  assert.equal([patches, values.length], [0, 1])
  assert.is(controller.snapshot().entities, entities)
})

test('a row in a circle is one object, wherever it is shown', () => {
  class Writer extends Entity {
    id = ''
    static override key = 'Writer'
    static override schema: { readonly [field: string]: unknown } = {}
  }
  class Article extends Entity {
    id = ''
    title = ''
    editor: Writer | undefined = undefined
    static override key = 'Article'
    static override schema = { editor: Writer }
  }
  Writer.schema = { drafts: new schema.Query([Article], (articles: readonly Article[]) => articles.filter(({ title }) => title !== 'c')) }
  const { controller } = open()
  controller.set(Article, { id: '1', editor: { id: '1', drafts: [{ id: '1', title: 'c' }] } })
  const all = new All(Article)
  const articles = seen(() => controller.get(all)![0]!.editor)
  const writers = seen(() => controller.get(Writer, '1'))
  controller.set(Article, { id: '1', note: 'x' })
  assert.is(articles.values.at(-1), writers.values.at(-1))
  for (const { stop } of [articles, writers]) stop()
})

test.run()
