import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory, historyOf } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, dehydrate, Entity, hydrate, schema, type Action, type FetchAction, type Snap } from '../../../src/index.ts'
import { warnings } from '../../support/caught.ts'
import { isSettled } from '../../support/state.ts'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  after = ''
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true })
const { get, getList, partialUpdate } = TodoResource
const loose = partialUpdate.extend({ serial: false })

/** A network that answers on request. */
function world(): { controller: Controller; requests: FetchAction[]; sent: () => string[]; ids: () => string[] } {
  const requests: FetchAction[] = []
  const action = (each: Action): boolean => each.type === 'fetch' && requests.push(each) > 0
  const controller = new Controller({ managers: [{ action }] })
  createHistory(controller)
  controller.setResponse(getList, [{ id: '1', title: 'sow' }])
  return {
    controller,
    requests,
    sent: () => requests.map(({ endpoint, args }) => `${endpoint.name} ${JSON.stringify(args)}`),
    ids: () => controller.getResponse(getList).data!.map(({ id }) => id),
  }
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))

const test = suite('order: temporary pks, and calls that wait for them')

test('a call that speaks of two things that are being made waits for both', async () => {
  const { controller, requests, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(getList.push, { title: 'b' })
  const [, first, second] = ids()
  const call = controller.fetch(partialUpdate, { id: second! }, { after: first! })
  requests[1]!.answer({ id: '9', title: 'b' })
  await settled()
  assert.is(requests.length, 2, 'one of them is still being made')
  requests[0]!.answer({ id: '8', title: 'a' })
  await settled()
  assert.equal(requests[2]!.args, [{ id: '9' }, { after: '8' }])
  requests[2]!.answer({ id: '9', title: 'b', after: '8' })
  assert.is((await call).after, '8')
})

test('and fails with either', async () => {
  const { controller, requests, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(getList.push, { title: 'b' })
  const [, first, second] = ids()
  const call = controller.fetch(partialUpdate, { id: second! }, { after: first! }).catch((error: unknown) => error)
  requests[0]!.fail(new Error('lost'))
  requests[1]!.answer({ id: '9', title: 'b' })
  assert.is(((await call) as Error).message, 'lost')
  assert.is(requests.length, 2)
  assert.is(controller.get(Todo, { id: '9' })!.after, '')
})

test('what is called after a call that waits, about the same, goes after it: the last word is the last', async () => {
  const { controller, requests, sent, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(partialUpdate, { id: '1' }, { after: ids()[1]! })
  void controller.fetch(partialUpdate, { id: '1' }, { after: '' })
  const other = controller.fetch(partialUpdate, { id: '2' }, { title: 'another' })
  assert.equal(sent().slice(1), ['Todo.partialUpdate [{"id":"2"},{"title":"another"}]'])
  requests[1]!.answer({ id: '2', title: 'another' })
  await other
  requests[0]!.answer({ id: '9', title: 'a' })
  assert.equal(requests[2]!.args, [{ id: '1' }, { after: '9' }])
  assert.equal(requests[3]!.args, [{ id: '1' }, { after: '' }])
  requests[2]!.answer({ id: '1', title: 'sow', after: '9' })
  assert.is(controller.get(Todo, { id: '1' })!.after, '')
  requests[3]!.answer({ id: '1', title: 'sow', after: '' })
  assert.is(controller.get(Todo, { id: '1' })!.after, '')
  // And is done though that comes to nothing.
  void controller.fetch(getList.push, { title: 'b' })
  void controller.fetch(partialUpdate, { id: '1' }, { after: ids().at(-1)! })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'mow' })
  requests[4]!.fail(new Error('lost'))
  assert.equal(requests[5]!.args, [{ id: '1' }, { title: 'mow' }])
})

test('what moves between two lists, and was made only then, is in one of them when a read tells of the move early', () => {
  const { controller, requests } = world()
  const list = (after: string): string[] => controller.getResponse(getList, { after }).data!.map(({ id }) => id)
  for (const after of ['a', 'b']) controller.setResponse(getList, { after }, [])
  void controller.fetch(getList.push, { title: 'new', after: 'a' })
  void controller.fetch(getList.move, { id: list('a')[0]! }, { after: 'b' })
  requests[0]!.answer({ id: '9', title: 'new', after: 'a' })
  assert.equal(requests[1]!.args, [{ id: '9' }, { after: 'b' }])
  assert.equal([list('a'), list('b')], [[], ['9']])
  controller.setResponse(TodoResource.get, { id: '9' }, { id: '9', title: 'new', after: 'b' })
  assert.equal([list('a'), list('b')], [[], ['9']])
  requests[1]!.answer({ id: '9', title: 'new', after: 'b' })
  assert.equal([list('a'), list('b')], [[], ['9']])
})

test('calls that meet at the server are seen to meet, also when one was made for a temporary pk', async () => {
  const { controller, requests, sent, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(loose, { id: ids()[1]! }, { title: 'b' })
  requests[0]!.answer({ id: '9', title: 'a' })
  await settled()
  void controller.fetch(loose, { id: '9' }, { title: 'c' })
  requests[1]!.answer({ id: '9', title: 'b' })
  requests[2]!.answer({ id: '9', title: 'c' })
  assert.equal(sent().slice(3), ['Todo.getList []'])
})

test('a reset asks for nothing: not even for what it leaves in doubt', () => {
  const { controller, requests, sent } = world()
  for (const title of ['a', 'b']) void controller.fetch(loose, { id: '1' }, { title })
  controller.reset()
  assert.is(requests.length, 2, sent().join())
})

test('a request that is ended in one step with the call it waits for is never sent', async () => {
  for (const end of ['abort', 'reset', 'dispose'] as const) {
    let sent = 0
    const never = (): Promise<never> => {
      sent++
      return new Promise(() => {})
    }
    const controller = new Controller({ fetch: never })
    for (let i = 0; i < 3; i++) void controller.fetch(partialUpdate, { id: '1' }, { title: 'a' })
    await settled()
    if (end === 'abort') controller.abort(partialUpdate, { id: '1' }, { title: 'a' })
    else controller[end]()
    await settled()
    assert.is(sent, 1, end)
  }
})

test('a local write to something that was being made is undone where that is now', async () => {
  const { controller, requests, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  controller.set(Todo, { id: ids()[1]! }, todo => void (todo.title = 'mine'))
  controller.set(Todo, { id: '1', after: ids()[1]! })
  requests[0]!.answer({ id: '9', title: 'a' })
  assert.equal([controller.get(Todo, { id: '9' })!.title, controller.get(Todo, { id: '1' })!.after], ['mine', '9'])
  assert.equal(await historyOf(controller).undo(), { kept: [] })
  assert.equal(await historyOf(controller).undo(), { kept: [] })
  assert.equal([controller.get(Todo, { id: '9' })!.title, controller.get(Todo, { id: '1' })!.after], ['a', ''])
})

test('a creation that was put before the one whose pk it speaks of is expected anew when that has its pk, so that its own is known too', async () => {
  const { controller, requests, ids } = world()
  const last = (): string => ids().at(-1)!
  void controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(getList.push, { title: 'b', after: last() })
  void controller.fetch(getList.push, { title: 'c', after: last() })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'x' })
  void controller.fetch(partialUpdate, { id: last() }, { title: 'd' })
  requests[0]!.answer({ id: '1', title: 'a' })
  await settled()
  requests[2]!.answer({ id: '8', title: 'b', after: '1' })
  await settled()
  requests[3]!.answer({ id: '9', title: 'c', after: '8' })
  await settled()
  assert.equal(requests[4]!.args, [{ id: '9' }, { title: 'd' }])
})

test('arguments that do not say a type are no data without one: nobody is warned', () => {
  const { controller } = world()
  const several = createResource({ path: '/todos/:id', schema: new schema.Union({ todo: Todo }, 'type') })
  assert.equal(warnings(() => void controller.fetch(several.partialUpdate, { id: '1' }, { title: 'reap' })), [])
  assert.is(warnings(() => controller.setResponse(several.get, { id: '2' }, { id: '2' } as never)).length, 1)
  controller.dispose()
})

test('a creation that its version makes newer than later answers can be carried to another store', () => {
  class Note extends Entity {
    id = ''
    v = 0
    static override key = 'Note'
    static override version = 'v'
  }
  const requests: FetchAction[] = []
  const controller = new Controller({ managers: [{ action: each => each.type === 'fetch' && requests.push(each) > 0 }] })
  const notes = createResource({ path: '/notes/:id', schema: Note })
  void controller.fetch(notes.getList.push, {})
  void controller.fetch(notes.getList)
  requests[1]!.answer([{ id: '1', v: 1 }])
  requests[0]!.answer({ id: '1', v: 2 })
  const other = new Controller()
  hydrate(other, JSON.parse(JSON.stringify(dehydrate(controller))))
  assert.is(other.get(Note, { id: '1' })?.v, 2)
  controller.dispose()
  other.dispose()
})

test('a patch from outside of a field of a result is about that result, and makes no row', () => {
  const { controller } = world()
  const page = TodoResource.get.extend({ path: '/page', schema: { cursor: '' } })
  controller.setResponse(page, { cursor: 'a' })
  controller.applyPatches([{ op: 'replace', path: ['endpoints', page.key(), 'cursor'], value: 'b' }])
  assert.is(controller.getResponse(page).data!.cursor, 'b')
  assert.equal(dehydrate(controller).entities.map(([key]) => key), ['Todo', '[Todo]'])
  controller.dispose()
})

for (const kind of [Todo, new schema.Union({ todo: Todo }, 'type')]) {
  test(`patches from outside of a list stand over a read that was under way: ${kind === Todo ? 'one type' : 'several types'}`, () => {
    const requests: FetchAction[] = []
    const controller = new Controller({ managers: [{ action: each => each.type === 'fetch' && requests.push(each) > 0 }] })
    const list = createResource({ path: '/todos/:id', schema: kind }).getList
    const of = (...ids: string[]): object[] => ids.map(id => ({ id, type: 'todo' }))
    controller.setResponse(list, of('a', 'b') as never)
    void controller.fetch(list)
    controller.applyPatches([
      { op: 'add', path: ['entities', 'Todo', 'c'], value: { id: 'c', type: 'todo' } },
      { op: 'remove', path: ['entities', '[Todo]', '{}', 0] },
      { op: 'add', path: ['entities', '[Todo]', '{}', 1], value: kind === Todo ? 'c' : { id: 'c', schema: 'todo' } },
    ])
    requests[0]!.answer(of('b', 'a', 'c', 'd'))
    assert.equal(controller.getResponse(list).data!.map(each => (each as Todo).id), ['b', 'c', 'd'])
    controller.dispose()
  })
}

test('who waited for a creation is sent before who speaks of it once it is made', async () => {
  const { controller, requests, ids, sent } = world()
  const created = controller.fetch(getList.push, { title: 'a' })
  void controller.fetch(partialUpdate, { id: ids()[1]! }, { title: 'first' })
  requests[0]!.answer({ id: '8', title: 'a' })
  const { id } = (await created) as Todo
  void controller.fetch(partialUpdate, { id }, { title: 'second' })
  await settled()
  assert.equal(sent().slice(1), ['Todo.partialUpdate [{"id":"8"},{"title":"first"}]', 'Todo.partialUpdate [{"id":"8"},{"title":"second"}]'])
})

test('a read of something that is being made waits for its pk, and is sent with that from then on', async () => {
  const { controller, requests, ids, sent } = world()
  void controller.fetch(getList.push, { title: 'a' })
  const temporary = ids()[1]!
  const read = controller.fetchIfStale(TodoResource.get, { id: temporary })
  await settled()
  assert.is(requests.length, 1, 'no server knows it')
  requests[0]!.answer({ id: '8', title: 'a' })
  await settled()
  requests[1]!.answer({ id: '8', title: 'a', after: '1' })
  assert.is((await read).after, '1')
  void controller.fetch(TodoResource.get, { id: temporary })
  assert.equal(sent().slice(1), ['Todo.get [{"id":"8"}]', 'Todo.get [{"id":"8"}]'])
})

test('and fails with what was to make it', async () => {
  const { controller, requests, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  const read = controller.fetch(TodoResource.get, { id: ids()[1]! }).catch((error: unknown) => error)
  requests[0]!.fail(new Error('lost'))
  assert.is(((await read) as Error).message, 'lost')
  assert.is(requests.length, 1)
})

for (const by of ['real', 'temporary']) {
  test(`a call that was made for a temporary pk is ended by the ${by} one`, async () => {
    const { controller, requests, ids } = world()
    void controller.fetch(getList.push, { title: 'a' })
    const temporary = ids()[1]!
    const call = controller.fetch(partialUpdate, { id: temporary }, { title: 'b' }).catch((error: unknown) => error)
    requests[0]!.answer({ id: '8', title: 'a' })
    await settled()
    controller.abort(partialUpdate, { id: by === 'real' ? '8' : temporary }, { title: 'b' })
    assert.is(requests[1]!.signal.aborted, true)
    assert.is(((await call) as Error).name, 'AbortError')
    assert.is(controller.get(Todo, { id: '8' })!.title, 'a')
  })
}

test('a local write to something that was never made is undone without a word', async () => {
  const { controller, requests, ids } = world()
  void controller.fetch(getList.push, { title: 'a' })
  controller.set(Todo, { id: ids()[1]! }, todo => void (todo.title = 'b'))
  requests[0]!.fail(new Error('lost'))
  assert.equal(await historyOf(controller).undo(), { kept: [] })
})

test('and is no step: what was done before it is undone and done again', async () => {
  const { controller, requests, ids } = world()
  controller.set(Todo, { id: '1' }, todo => void (todo.title = 'mow'))
  void controller.fetch(getList.push, { title: 'a' })
  controller.set(Todo, { id: ids()[1]! }, todo => void (todo.title = 'b'))
  requests[0]!.fail(new Error('lost'))
  await historyOf(controller).undo()
  assert.is(controller.get(Todo, { id: '1' })!.title, 'sow')
  await historyOf(controller).redo()
  assert.is(controller.get(Todo, { id: '1' })!.title, 'mow')
  assert.is(historyOf(controller).canRedo.value, false)
})

test('a creation that no longer shows what it expects still says what that has become', async () => {
  const { controller, requests, ids } = world()
  const push = getList.push.extend({
    getOptimisticResponse: (snap: Snap, body: object) => {
      if (snap.get(Todo, { id: '1' }) === undefined) throw snap.abort
      return body
    },
  })
  void controller.fetch(push, { title: 'a' })
  void controller.fetch(partialUpdate, { id: ids()[1]! }, { title: 'b' })
  controller.applyPatches([{ op: 'remove', path: ['entities', 'Todo', '1'] }])
  requests[0]!.answer({ id: '8', title: 'a' })
  await settled()
  assert.equal(requests[1]!.args, [{ id: '8' }, { title: 'b' }])
})

test('what waits for something that was expected and not made fails, and is not sent', async () => {
  const asked: string[] = []
  let answer!: (response: Response) => void
  const fetch = (url: unknown): Promise<Response> => {
    asked.push(String(url))
    return new Promise(resolve => (answer = resolve))
  }
  const controller = new Controller({ fetch, gc: false, retry: false })
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, [{ title: 'a' }, { title: 'b' }])
  const { id } = controller.getResponse(getList).data![1]!
  const call = controller.fetch(partialUpdate, { id }, { title: 'c' }).catch((error: unknown) => error)
  await settled()
  answer(Response.json([{ id: '8', title: 'a' }]))
  await made
  assert.match(String(await call), /never created/)
  assert.equal(asked, ['/todos'])
  assert.ok(isSettled(controller))
})

for (const optimistic of [true, false]) {
  for (const first of ['the read', 'the move']) {
    test(`a read that tells of a move already leaves it in no list that it came from: ${first} is answered first${optimistic ? ', optimistic' : ''}`, async () => {
      const { controller, requests } = world()
      const { getList: cards } = createResource({ path: '/cards/:id', schema: Todo, optimistic })
      controller.setResponse(cards, { after: 'a' }, [{ id: '2', after: 'a' }])
      controller.setResponse(cards, { after: 'b' }, [])
      const visible = (): string[][] => ['a', 'b'].map(after => controller.getResponse(cards, { after }).data!.map(({ id }) => id))
      void controller.fetch(cards)
      void controller.fetch(cards.move, { id: '2' }, { after: 'b' })
      const answers = [() => requests[0]!.answer([{ id: '2', after: 'b' }]), () => requests[1]!.answer({ id: '2', after: 'b' })]
      if (first === 'the move') answers.reverse()
      answers[0]!()
      if (optimistic) assert.equal(visible(), [[], ['2']])
      answers[1]!()
      assert.equal(visible(), [[], ['2']])
    })
  }
}

test('what is being made can be asked for, and written to: that waits until it is made', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const asked: Promise<unknown>[] = []
  effect(() => {
    const [post] = controller.getResponse(getList).data ?? []
    if (post?.title !== 'sow') return
    asked.push(controller.fetch(get, { id: post.id }), controller.fetch(partialUpdate, { id: post.id }, { title: 'reap' }))
  })
  const made = controller.fetch(getList.push, { title: 'sow' })
  assert.equal(requests.map(({ key }) => key), ['POST /todos'])
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settled()
  assert.equal(requests.slice(1).map(({ key, args }) => [key.split(' ')[0], args[0]]), [['PATCH', { id: '7' }], ['GET', { id: '7' }]])
  for (const { answer } of requests.slice(1)) answer({ id: '7', title: 'reap' })
  await Promise.all(asked)
  assert.is(controller.get(Todo, { id: '7' })?.title, 'reap')
})

test('who reads a row by its temporary pk goes on with what it has become', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const { id } = controller.getResponse(getList).data![0]!
  const live = controller.live(Todo, { id })
  const seen: unknown[] = []
  const readings = [
    () => controller.get(Todo, { id })?.id,
    () => controller.get(Todo, id)?.id,
    () => controller.view(Todo, { id }).value?.id,
    () => controller.live(Todo, { id })?.id,
    () => controller.live(get, { id })?.id,
    () => controller.getResponse(get, { id }).data?.id,
  ]
  const stop = effect(() => void seen.push(readings.map(read => read())))
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  assert.equal(seen, [readings.map(() => id), readings.map(() => '7')])
  assert.is(controller.live(Todo, { id }), live)
  stop()

  const asked = controller.fetch(get, { id }).catch((error: unknown) => error)
  assert.is(controller.isFetching(get, { id }), true)
  const failure = new Error('no')
  requests[1]!.fail(failure)
  assert.is(await asked, failure)
  assert.is(controller.getError(get, { id }), failure)
  controller.invalidate(get, { id })
  assert.equal([controller.getResponse(get, { id }).expiryStatus, controller.getResponse(get, { id: '7' }).expiryStatus], [1, 1])
})

test('a read that waits for a creation is under way, and who looks at that sees what it comes to', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const after = controller.getResponse(getList).data![0]!.id
  const seen: unknown[] = []
  const stop = effect(() => void seen.push([controller.getResponse(getList, { after }).data?.length, controller.isFetching(getList, { after })]))
  const asked = controller.fetch(getList, { after })
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settled()
  assert.is(requests[1]!.key, 'GET /todos?after=7')
  requests[1]!.answer([{ id: '8', title: 'reap' }])
  await asked
  assert.equal(seen, [
    [undefined, false],
    [undefined, true],
    // It has another name now.
    [undefined, true],
    [1, false],
  ])
  stop()
})

test('a row that was never made is not there, and that is no error', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' }).catch(() => {})
  const { id } = controller.getResponse(getList).data![0]!
  requests[0]!.fail(new Error('no'))
  await made
  assert.equal([controller.get(Todo, { id }), controller.live(Todo, { id }), controller.getResponse(get, { id }).expiryStatus], [undefined, undefined, 1])
})

test('who waits to ask for what is being made can leave, and be aborted: then nothing is asked', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  const made = controller.fetch(getList.push, { title: 'sow' })
  const { id } = controller.getResponse(getList).data![0]!
  const leaving = new AbortController()
  const asked = [controller.fetch(get.extend({ signal: leaving.signal }), { id }), controller.fetch(get, { id })]
  leaving.abort()
  controller.abort(get, { id })
  for (const each of asked) assert.instance(await each.catch((error: unknown) => error), AbortError)
  requests[0]!.answer({ id: '7', title: 'sow' })
  await made
  await settled()
  assert.is(requests.length, 1)
})

test('a call can be aborted, and undone, by one whom its optimistic answer wakes', async () => {
  const ends = {
    abort: (controller: Controller) => controller.abort(partialUpdate, { id: '1' }, { title: 'reap' }),
    undo: (controller: Controller) => historyOf(controller).undo(),
  }
  for (const end of Object.values(ends)) {
    const { controller } = world()
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'sow' })
    effect(() => void (controller.get(Todo, { id: '1' })?.title === 'reap' && end(controller)))
    const outcome = await controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' }).catch((error: unknown) => error)
    assert.instance(outcome, AbortError)
    assert.is(controller.get(Todo, { id: '1' })?.title, 'sow')
  }
})

test('what is called by one who listens to the commit of a call goes after it', () => {
  const { controller, requests } = world()
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'sow' })
  controller.subscribePatches(() => {
    if (controller.get(Todo, { id: '1' })?.title === 'reap') void controller.fetch(partialUpdate, { id: '1' }, { title: 'eat' })
  })
  void controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' })
  assert.equal(requests.map(({ args }) => args[1]), [{ title: 'reap' }, { title: 'eat' }])
})

test('who listens to the commit of a creation may ask for what it makes, and undo it', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [])
  let asked: Promise<unknown> | undefined
  controller.subscribePatches(() => {
    const [post] = controller.getResponse(getList).data ?? []
    if (post?.title === 'sow') asked ??= controller.fetch(get, { id: post.id })
    if (post?.title === 'burn') void historyOf(controller).undo()
  })
  void controller.fetch(getList.push, { title: 'sow' })
  requests[0]!.answer({ id: '7', title: 'sow' })
  await settled()
  requests[1]!.answer({ id: '7', title: 'reap' })
  assert.equal(await asked, controller.get(Todo, { id: '7' }))
  const undone = await controller.fetch(partialUpdate, { id: '7' }, { title: 'burn' }).catch((error: unknown) => error)
  assert.instance(undone, AbortError)
  assert.is(requests.length, 2)
})

test('who ends a call in an optimistic answer ends it, and what it had expected goes', async () => {
  const { controller, requests } = world()
  controller.setResponse(getList, [{ id: '1', title: 'sow' }])
  const saving = controller.fetch(partialUpdate, { id: '1' }, { title: 'reap' })
  const deleting = createResource({ path: '/todos/:id', schema: Todo }).delete.extend({
    getOptimisticResponse(_: unknown, params: { id: number | string }) {
      controller.abort(partialUpdate, params, { title: '' })
      return params
    },
  })
  const gone = controller.fetch(deleting, { id: '1' })
  assert.instance(await saving.catch((error: unknown) => error), AbortError)
  assert.is(controller.get(Todo, { id: '1' }), undefined)
  requests[1]!.fail(new Error('no'))
  assert.is(await gone.catch(({ message }: Error) => message), 'no')
  await settled()
  assert.is(controller.get(Todo, { id: '1' })!.title, 'sow')
  assert.ok(isSettled(controller))
})

test.run()
