import { createRenderEffect, type JSX } from 'solid-js'
import { insert, template } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useQuery, useSuspense } from '../../../bindings/solid/index.ts'
import { createResource, Entity, Query, type Fields } from '../../../src/index.ts'
import { Todo, TodoResource, User } from '../../support/todo.ts'
import { each, mountSolid } from './solidFramework.ts'
import { text, withStage, type Stage } from './solidStage.ts'
import { shows, until } from './wire.ts'

const test = suite('solid: rows')

let stage: Stage
withStage(test, now => void (stage = now))

const { getList } = TodoResource
const undoneFirst = new Query(getList.schema, todos => [...todos].sort((a, b) => Number(a.done) - Number(b.done)))
const size = 200

const row = (id: number): object => ({ id, title: `title ${id}`, done: false, owner: { id: 1, name: 'Ada' } })
const all = (): object[] => Array.from({ length: size }, (_, id) => row(id))
const store = (rows = all()): void => stage.controller.setResponse(getList, rows)

/** What has happened to the list: rows made, texts changed, elements that came or were moved, elements that went. */
interface Counts { created: number; texts: number; came: number; went: number }
const nothing: Counts = { created: 0, texts: 0, came: 0, went: 0 }

const readAll = (): (() => readonly Todo[] | undefined) => useSuspense(getList)

/** Shows `size` rows, does `work`, and gives what that did to the elements, and the titles on the page. */
async function counted(work: () => unknown, read: typeof readAll = readAll): Promise<{ counts: Counts; titles: unknown[] }> {
  const item = template('<li><b></b><i></i></li>')
  const list = document.createElement('ul')
  const counts = { ...nothing }
  store()
  stage.mount(() => {
    const rows = each(read(), todo => {
      counts.created++
      const element = item() as HTMLElement
      insert(element.firstChild!, () => todo.title)
      insert(element.lastChild!, () => todo.owner!.name)
      return element
    })
    insert(list, rows)
    return list
  })
  assert.equal([list.children.length, counts.created], [size, size])
  counts.created = 0
  const note = (records: MutationRecord[]): void => {
    for (const { type, addedNodes, removedNodes } of records) {
      if (type === 'characterData') counts.texts++
      counts.came += addedNodes.length
      counts.went += removedNodes.length
    }
  }
  const observer = new (document.defaultView as Window & typeof globalThis).MutationObserver(note)
  observer.observe(list, { childList: true, characterData: true, subtree: true })
  await work()
  await new Promise(resolve => setTimeout(resolve, 5))
  observer.disconnect()
  return { counts, titles: [...list.children].map(({ firstChild }) => firstChild!.textContent) }
}

const refetch = async (rows: object[]): Promise<void> => {
  const done = stage.controller.fetch(getList)
  await stage.wire.answer('/todos', rows)
  await done
}
const retitled = all().with(5, { ...row(5), title: 'new' })
const change = (id: number, fields: Partial<Todo>): void => stage.controller.set(Todo, { id }, todo => void Object.assign(todo, fields))
const setOwner = (name: string): void => stage.controller.set(User, { id: 1 }, { id: 1, name })

for (const [name, work, wanted, index, title] of [
  ['one field of one row is one text, and no row is made', () => change(7, { title: 'new' }), { ...nothing, texts: 1 }, 7, 'new'],
  ['a refetch with one row different is one text', () => refetch(retitled), { ...nothing, texts: 1 }, 5, 'new'],
  ['a refetch of the same is nothing', () => refetch(all()), nothing, 5, 'title 5'],
  ['an owner whom all rows share is one text in each', () => setOwner('Grace'), { ...nothing, texts: size }, 0, 'title 0'],
  ['a row at the top is one row made, and the others stay', () => store([row(-1), ...all()]), { ...nothing, created: 1, came: 1 }, 0, 'title -1'],
  ['a row that goes is one element that goes', () => store(all().toSpliced(3, 1)), { ...nothing, went: 1 }, 3, 'title 4'],
] as [name: string, work: () => unknown, wanted: Counts, index: number, title: string][]) {
  test(name, async () => {
    const { counts, titles } = await counted(work)
    assert.equal([counts, titles[index]], [wanted, title])
  })
}

const swap = (): void => store(all().with(1, row(8)).with(8, row(1)))
const waitAgain = async (): Promise<void> => {
  const { text } = stage.screens[0]!
  stage.controller.invalidate(getList)
  await shows(text, 'waiting')
  await stage.wire.answer('/todos', all())
  await until(() => text() !== 'waiting')
}

for (const [name, work, index, title, read] of [
  ['rows that are swapped are moved, not made', swap, 8, 'title 1', undefined],
  ['a sorted list sorts again, and makes no row', () => change(0, { done: true }), size - 1, 'title 0', () => useQuery(undoneFirst)],
  ['a list that is waited for again has the same rows afterwards', waitAgain, 0, 'title 0', undefined],
] as const) {
  test(name, async () => {
    const { counts, titles } = await counted(work, read)
    assert.equal([counts.created, counts.texts, titles[index]], [0, 0, title])
  })
}

test('rows are the same objects wherever they are read, and instances of their class', () => {
  store()
  let checks = 0
  stage.mount(() => {
    const todos = useSuspense(getList)
    const one = useQuery(Todo, () => ({ id: 3 }))
    createRenderEffect(() => {
      assert.is(todos()![3], one())
      assert.instance(one(), Todo)
      assert.is(todos()![1]!.owner, todos()![2]!.owner)
      checks++
    })
    return ''
  })
  assert.is(checks, 1)
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
  stage.controller.setResponse(getList, [{ id: '1', title: 'milk', at: '2020-01-01' }])
  let row: Dated | undefined
  const screen = stage.mount(() => {
    const rows = useSuspense(getList)
    return text(() => (row = rows()![0]!).title)
  })
  stage.controller.set(Dated, { id: '1' }, { id: '1', title: 'bread' })
  await shows(screen.text, 'bread')
  assert.is(made, 0)
  assert.equal([row!.at.getFullYear(), made], [2020, 1])
})

test('what a component no longer reads does not run, and is released', async () => {
  store()
  let runs = 0
  let ref: WeakRef<object> | undefined
  const show = (): JSX.Element => {
    const todos = useSuspense(getList)
    createRenderEffect(() => {
      runs++
      ref = new WeakRef(todos()![0]!)
      void todos()![0]!.title
    })
    return ''
  }
  mountSolid(stage.controller, show).unmount()
  change(0, { title: 'unseen' })
  assert.is(runs, 1)
  const { gc } = globalThis as { gc?: () => void }
  if (gc) await until(() => (gc(), ref!.deref() === undefined), 'a live object that nobody holds to be collected')
})

test.run()
