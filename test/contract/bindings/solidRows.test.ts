import { createComponent, createRoot, createRenderEffect, For, type JSX } from 'solid-js'
import { insert, template } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useQuery, useSuspense } from '../../../bindings/solid/index.ts'
import { Controller, createResource, Entity, Query, type Fields } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import type { Screen } from './framework.ts'
import { mountSolid } from './solidFramework.ts'
import { until, Wire } from './wire.ts'

const test = suite('solid: rows')

withDom(test)

class Author extends Entity {
  id = ''
  name = ''
  static override key = 'Author'
}

class Todo extends Entity {
  id = ''
  title = ''
  rank = 0
  author: Author = Author.fromJS({})
  static override key = 'Todo'
  static override schema: Fields = { author: Author }
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo })
const { getList } = TodoResource
const ranked = new Query(getList.schema, todos => [...todos].sort((a, b) => a.rank - b.rank))
const size = 200

const row = (id: number): object => ({ id: String(id), title: `title ${id}`, rank: id, author: { id: 'a', name: 'Ada' } })
const all = (): object[] => Array.from({ length: size }, (_, id) => row(id))

/** A list of `size` rows on a page, and what has happened to its elements since one last asked. */
class Page {
  readonly wire = new Wire()
  readonly controller = new Controller({ fetch: this.wire.fetch })
  readonly screen: Screen
  readonly list: HTMLElement
  created = 0
  #records: MutationRecord[] = []
  readonly #observer: MutationObserver

  constructor(read: () => () => readonly Todo[] | undefined) {
    this.controller.setResponse(getList, all())
    const item = template('<li><b></b><i></i></li>')
    this.list = document.createElement('ul')
    this.screen = mountSolid(this.controller, () => {
      const todos = read()
      insert(
        this.list,
        createComponent(For, {
          get each() {
            return todos()
          },
          children: (todo: Todo): JSX.Element => {
            this.created++
            const element = item() as HTMLElement
            insert(element.firstChild!, () => todo.title)
            insert(element.lastChild!, () => todo.author.name)
            return element
          },
        }),
      )
      return this.list
    })
    this.#observer = new (document.defaultView as Window & typeof globalThis).MutationObserver(records => void this.#records.push(...records))
    this.#observer.observe(this.list, { childList: true, characterData: true, subtree: true })
    this.created = 0
  }

  /** Rows made, records of text that changed, elements that came, elements that went. */
  async since(): Promise<{ created: number; texts: number; came: number; went: number }> {
    await new Promise(resolve => setTimeout(resolve, 5))
    const records = this.#records.splice(0)
    const texts = records.filter(each => each.type === 'characterData').length
    const sum = (names: 'addedNodes' | 'removedNodes'): number => records.reduce((count, each) => count + each[names].length, 0)
    const counts = { created: this.created, texts, came: sum('addedNodes'), went: sum('removedNodes') }
    this.created = 0
    return counts
  }

  titles(): (string | null)[] {
    return [...this.list.children].map(each => each.firstChild!.textContent)
  }

  [Symbol.dispose](): void {
    this.#observer.disconnect()
    this.screen.unmount()
    this.controller.dispose()
  }
}

const onPage = (name: string, work: (page: Page) => Promise<void>, read = (): (() => readonly Todo[] | undefined) => useSuspense(getList)): void =>
  test(name, async () => {
    const page = new Page(read)
    assert.is(page.list.children.length, size)
    try {
      await work(page)
    } finally {
      page[Symbol.dispose]()
    }
  })

onPage('one field of one row is one text, and no row is made', async page => {
  page.controller.set(Todo, { id: '7' }, todo => {
    todo.title = 'new'
  })
  assert.equal(await page.since(), { created: 0, texts: 1, came: 0, went: 0 })
  assert.is(page.titles()[7], 'new')
})

onPage('a refetch with one row different is one text; the same again is nothing', async page => {
  const next = all()
  next[5] = { ...row(5), title: 'new' }
  for (const texts of [1, 0]) {
    const done = page.controller.fetch(getList)
    await page.wire.answer('/todos', next)
    await done
    assert.equal(await page.since(), { created: 0, texts, came: 0, went: 0 })
  }
})

onPage('an author whom all rows share is one text in each', async page => {
  page.controller.set(Author, { id: 'a' }, { id: 'a', name: 'Grace' })
  assert.equal(await page.since(), { created: 0, texts: size, came: 0, went: 0 })
})

onPage('a row at the top is one row made, and the others stay', async page => {
  page.controller.setResponse(getList, [row(1000), ...all()])
  const { created, texts, came, went } = await page.since()
  assert.equal({ created, texts, came, went }, { created: 1, texts: 0, came: 1, went: 0 })
  assert.is(page.titles()[0], 'title 1000')
})

onPage('a row that goes is one element that goes', async page => {
  page.controller.setResponse(getList, all().toSpliced(3, 1))
  assert.equal(await page.since(), { created: 0, texts: 0, came: 0, went: 1 })
})

onPage('rows that are swapped are moved, not made', async page => {
  const next = all()
  ;[next[1], next[8]] = [next[8]!, next[1]!]
  page.controller.setResponse(getList, next)
  const { created, texts } = await page.since()
  assert.equal({ created, texts }, { created: 0, texts: 0 })
  assert.equal([page.titles()[1], page.titles()[8]], ['title 8', 'title 1'])
})

onPage(
  'a sorted list sorts again, and makes no row',
  async page => {
    page.controller.set(Todo, { id: '0' }, todo => {
      todo.rank = 1e6
    })
    const { created, texts } = await page.since()
    assert.equal({ created, texts }, { created: 0, texts: 0 })
    assert.is(page.titles().at(-1), 'title 0')
  },
  () => useQuery(ranked),
)

onPage('a list that is waited for again has the same rows afterwards', async page => {
  page.controller.invalidate(getList)
  await until(() => page.screen.text() === 'waiting')
  await page.wire.answer('/todos', all())
  await until(() => page.screen.text() !== 'waiting')
  const { created, texts } = await page.since()
  assert.equal({ created, texts }, { created: 0, texts: 0 })
})

test('rows are the same objects wherever they are read, and instances of their class', () => {
  const controller = new Controller()
  controller.setResponse(getList, all())
  const screen = mountSolid(controller, () => {
    const todos = useSuspense(getList)
    const one = useQuery(Todo, () => ({ id: '3' }))
    createRenderEffect(() => {
      assert.is(todos()![3], one())
      assert.instance(one(), Todo)
      assert.is(todos()![1]!.author, todos()![2]!.author)
    })
    return 'ok'
  })
  assert.is(screen.text(), 'ok')
  screen.unmount()
  controller.dispose()
})

test('a refetch that brings nothing new wakes only who asks for loading', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  controller.setResponse(getList, all())
  let reads = 0
  const loading: boolean[] = []
  const screen = mountSolid(controller, () => {
    const todos = useSuspense(getList)
    createRenderEffect(() => {
      reads++
      todos()
    })
    createRenderEffect(() => void loading.push(todos.loading))
    return ''
  })
  const done = controller.fetch(getList)
  await wire.answer('/todos', all())
  await done
  assert.is(reads, 1)
  assert.equal(loading, [false, true, false])
  screen.unmount()
  controller.dispose()
})

test('of what is fresh nothing is made that nobody reads', async () => {
  let made = 0
  class Dated extends Entity {
    id = ''
    title = ''
    at: Date = new Date(0)
    static override key = 'Dated'
    static override schema: Fields = { at: (text: string) => (made++, new Date(text)) }
  }
  const { getList } = createResource({ path: '/dated/:id', schema: Dated })
  const controller = new Controller()
  controller.setResponse(getList, [{ id: '1', title: 'milk', at: '2020-01-01' }])
  let row: Dated | undefined
  const screen = mountSolid(controller, () => {
    const rows = useSuspense(getList)
    return (() => (row = rows()![0]!).title) as unknown as JSX.Element
  })
  controller.set(Dated, { id: '1' }, { id: '1', title: 'bread' })
  await new Promise(resolve => setTimeout(resolve, 5))
  assert.equal([screen.text(), made], ['bread', 0])
  assert.equal([row!.at.getFullYear(), made], [2020, 1])
  screen.unmount()
  controller.dispose()
})

test('what a component no longer reads does not run, and is released', async () => {
  const controller = new Controller()
  controller.setResponse(getList, all())
  let runs = 0
  let ref: WeakRef<object> | undefined
  createRoot(dispose => {
    const screen = mountSolid(controller, () => {
      const todos = useSuspense(getList)
      createRenderEffect(() => {
        runs++
        ref = new WeakRef(todos()![0]!)
        void todos()![0]!.title
      })
      return ''
    })
    screen.unmount()
    dispose()
  })
  controller.set(Todo, { id: '0' }, todo => {
    todo.title = 'unseen'
  })
  assert.is(runs, 1)
  const { gc } = globalThis as { gc?: () => void }
  if (gc === undefined) return
  await until(() => {
    gc()
    return ref!.deref() === undefined
  }, 'a live object that nobody holds to be collected')
  controller.dispose()
})

test.run()
