import { effect } from '@preact/signals-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { AbortError, Controller, createResource, Endpoint } from '../../../src/index.ts'
import { abortable, story as storyOf, Task, Tasks, type Step } from './historyStory.ts'
import { agree, answerAll, answerOne, can, clearSent, hold, redo, refusedUndo, sends, shows, undo, undoKeeping } from './historyStory.ts'
import { call, change, create, edit, group, remove, write } from './historyStory.ts'

const { get, getList, partialUpdate } = Tasks
const refuse = (refuses: (request: string) => boolean): Step => ({ server }) => void (server.refuses = refuses)
/** Another tab changes the title of the first task. */
const theirs: Step = ({ controller }) =>
  controller.applyPatches([{ op: 'replace', path: ['entities', 'Task', '1', 'title'], value: 'theirs' }], { origin: 'tab' })
/** The server says something that nobody here has asked for. */
const tell = (task: { id: number; title: string; n: number }): Step => ({ controller }) => controller.setResponse(get, { id: task.id }, task)
const title = { key: 'Task', pk: '1', field: 'title' }
const silent = partialUpdate.extend({ getUndo: () => undefined })

const test = suite('history')
const story = storyOf.bind(undefined, test)

story('there is nothing to undo at first, and asking for it does no harm', can(false, false), undo, redo)

story('a local write is undone and done again',
  edit(1, { title: 'mow' }), can(true, false), undo, shows('sow 0', 'reap 0'), can(false, true), redo, shows('mow 0', 'reap 0'), sends())

story('undoing a local write leaves what others have changed since, and says so',
  write(1, { title: 'mow', n: 1 }), theirs, undoKeeping(title), shows('theirs 0', 'reap 0'))

story('a local write that is done again over what others have written goes back to that',
  write(1, { title: 'mow' }), undo, tell({ id: 1, title: 'theirs', n: 0 }), redo, shows('mow 0', 'reap 0'), undo, shows('theirs 0', 'reap 0'))

story('a settled change is undone by a call with the values before it, and done again',
  change(1, { n: 1 }), undo, agree('sow 0', 'reap 0'), redo, agree('sow 1', 'reap 0'),
  sends('PATCH /tasks/1 {"n":1}', 'PATCH /tasks/1 {"n":0}', 'PATCH /tasks/1 {"n":1}'),
  hold, undo, shows('sow 0', 'reap 0'))

story('of two changes of one row each takes back its own',
  change(1, { title: 'mow' }), change(1, { title: 'rake' }), undo, agree('mow 0', 'reap 0'), undo, agree('sow 0', 'reap 0'),
  redo, redo, agree('rake 0', 'reap 0'))

for (const optimistic of [true, false]) {
  const endpoint = createResource({ path: '/tasks/:id', schema: Task, optimistic }).partialUpdate
  story(`two changes of one field are undone one after the other, however soon the second undo follows (optimistic: ${optimistic})`,
    ...['a', 'b', 'c'].map(title => change(1, { title }, endpoint)), clearSent,
    hold, undo, undo, undo, answerAll, agree('sow 0', 'reap 0'),
    sends('PATCH /tasks/1 {"title":"b"}', 'PATCH /tasks/1 {"title":"a"}', 'PATCH /tasks/1 {"title":"sow"}'))
}

story('a field that somebody else has changed since is left alone, and named',
  change(1, { title: 'mow', n: 1 }),
  ({ rows }) => rows.set('/tasks/1', { id: 1, title: 'theirs', n: 1 }),
  call(get, { id: 1 }),
  undoKeeping(title), agree('theirs 0', 'reap 0'))

story('a creation is undone by deleting, and a deletion by creating; later steps are renamed to the new pk',
  create('mow'), change(10, { n: 1 }), remove(10), sends('POST /tasks {"title":"mow","n":0}', 'PATCH /tasks/10 {"n":1}', 'DELETE /tasks/10'),
  undo, agree('sow 0', 'reap 0', 'mow 1'), undo, agree('sow 0', 'reap 0', 'mow 0'), undo, agree('sow 0', 'reap 0'),
  sends('POST /tasks {"title":"mow","n":1,"id":10}', 'PATCH /tasks/11 {"n":0}', 'DELETE /tasks/11'))

story('when the call that undoes fails, nothing has been undone, and the error is there to be seen',
  change(1, { n: 1 }), refuse(() => true), refusedUndo, agree('sow 1', 'reap 0'), can(true, false),
  refuse(() => false), undo, agree('sow 0', 'reap 0'), ({ history }) => assert.is(history.error.value, undefined))

story('steps whose undoing fails stand in their order again, beneath what was done meanwhile',
  change(1, { title: 'a' }), change(2, { title: 'b' }), refuse(() => true),
  async ({ controller, history }) => {
    const undone = [history.undo(), history.undo()]
    controller.set(Task, { id: 9, title: 'meanwhile' })
    assert.equal((await Promise.allSettled(undone)).map(({ status }) => status), ['rejected', 'rejected'])
  },
  refuse(() => false), clearSent, undo, undo, undo,
  ({ controller }) => assert.is(controller.get(Task, { id: 9 }), undefined),
  sends('PATCH /tasks/2 {"title":"reap"}', 'PATCH /tasks/1 {"title":"sow"}'))

story('a call that failed is nothing to undo',
  refuse(() => true), world => Promise.resolve(change(1, { n: 1 })(world)).catch(() => {}), can(false, false))

story('a call that cannot be made is nothing to undo, and leaves what can be done again',
  refuse(() => true),
  async ({ controller, history }) => {
    const made = controller.fetch(getList.push, { title: 'new' }).catch(() => {})
    const { id } = controller.getResponse(getList).data![2]!
    await made
    controller.set(Task, { id: 1, title: 'mow' })
    await history.undo()
    await controller.fetch(partialUpdate, { id }, { title: 'x' }).then(() => assert.unreachable(), () => {})
  },
  can(false, true))

story('responses, polls and patches of others are no steps', tell({ id: 1, title: 'x', n: 0 }), theirs, can(false, false))

story('what cannot be taken back is passed over',
  write(1, { title: 'mow' }), call(new Endpoint(async () => 'pong', { name: 'ping', sideEffect: true })),
  undo, shows('sow 0', 'reap 0'), can(false, true))

story('a group is one step',
  group(change(1, { n: 1 }), change(2, { n: 1 })), undo, agree('sow 0', 'reap 0'), can(false, true), redo, agree('sow 1', 'reap 1'))

story('a group of which one step cannot be undone is as it was',
  group(change(1, { n: 1 }), change(2, { n: 1 })), refuse(request => request === 'PATCH /tasks/1'), refusedUndo,
  agree('sow 1', 'reap 1'), can(true, false))

story('what came to nothing, or was forgotten, inside of a group is no part of it',
  hold, group(change(1, { n: 1 }), ({ controller }) => controller.abort(partialUpdate, { id: 1 }, { n: 1 })), can(false, false),
  group(write(1, { title: 'mow' }), ({ controller }) => controller.reset()), can(false, false),
  group(({ controller }) => controller.reset(), write(1, { title: 'mow' }), write(2, { title: 'mow' })), undo, can(false, true),
  ({ controller }) => assert.equal([controller.get(Task, { id: 1 }), controller.get(Task, { id: 2 })], [undefined, undefined]))

story('something new after an undo leaves nothing to redo', write(1, { title: 'mow' }), undo, write(1, { title: 'rake' }), can(true, false))

test('steps beyond the limit are forgotten; with none nothing is retained', async () => {
  for (const [limit, titles, expected] of [[2, 'abc', 'a'], [2, 'abcdefg', 'e'], [0, 'a', 'a']] as const) {
    const controller = new Controller()
    const history = createHistory(controller, { limit })
    for (const title of titles) controller.set(Task, { id: 1, title })
    for (let steps = 0; steps < limit; steps++) await history.undo()
    assert.equal([history.canUndo.value, controller.get(Task, { id: 1 })!.title], [false, expected])
  }
})

story('clear and reset forget everything',
  write(1, { title: 'a' }), ({ history }) => history.clear(), can(false, false),
  write(1, { title: 'b' }), ({ controller }) => controller.reset(), can(false, false))

story('canUndo and canRedo wake their readers', async world => {
  const seen: unknown[] = []
  const stop = effect(() => void seen.push([world.history.canUndo.value, world.history.canRedo.value]))
  for (const step of [write(1, { title: 'a' }), write(1, { title: 'b' }), undo, undo]) await step(world)
  assert.equal(seen, [[false, false], [true, false], [true, true], [false, true]])
  stop()
})

story('what was taken out of its lists comes back to them, and leaves them again',
  call(getList.remove, { id: 2 }, { n: 1 }), shows('sow 0'),
  hold, undo, shows('sow 0', 'reap 0'), answerAll, shows('sow 0', 'reap 0'), redo, answerAll, shows('sow 0'),
  sends('PATCH /tasks/2 {"n":1}', 'PATCH /tasks/2 {"n":0}', 'PATCH /tasks/2 {"n":1}'))

story('undoing membership is by pk, not by position',
  ({ controller }) => controller.set(getList.schema.push, { id: 5, title: 'mine' }),
  ({ controller }) => controller.setResponse(getList, [{ id: 2 }, { id: 5 }, { id: 9, title: 'dig' }, { id: 1 }]),
  undo, shows('reap 0', 'dig 0', 'sow 0'))

story('a list that was put into another order is put back',
  ({ controller }) => controller.set(getList.schema, [{ id: 2 }, { id: 1 }]), shows('reap 0', 'sow 0'), undo, shows('sow 0', 'reap 0'))

story('undoing membership of a long list takes no longer than the list is', async ({ controller, history }) => {
  const long = Array.from({ length: 10_000 }, (_, id) => ({ id }))
  controller.setResponse(getList, long)
  controller.set(getList.schema.push, {}, { id: -1 })
  controller.set(getList.schema, {}, long.slice(5000))
  const start = performance.now()
  await history.undo()
  await history.undo()
  // A tenth of a second; by comparing each with each, twenty.
  assert.ok(performance.now() - start < 5000)
  assert.equal(controller.getResponse(getList).data!.map(({ id }) => ({ id })), long)
})

story('what readers write when they hear of a local write is no part of it, and comes after it',
  async world => {
    const stop = effect(() => {
      if (world.controller.get(Task, { id: 1 })!.title !== 'mow') return
      for (const step of [tell({ id: 2, title: 'theirs', n: 0 }), write(2, { n: 1 })]) step(world)
    })
    write(1, { title: 'mow' })(world)
    stop()
  },
  shows('mow 0', 'theirs 1'), undo, shows('mow 0', 'theirs 0'), undo, shows('sow 0', 'theirs 0'))

const inFlight = suite('history: pressed quickly')
const quickly = (title: string, ...steps: Step[]): void => storyOf(inFlight, title, hold, ...steps)

quickly('a call that is under way is ended, and what it had expected goes',
  async world => {
    const call = world.controller.fetch(abortable, { id: 1 }, { n: 1 }).catch((error: unknown) => error)
    await undo(world)
    shows('sow 0', 'reap 0')(world)
    assert.instance(await call, AbortError)
  },
  redo, shows('sow 1', 'reap 0'), answerAll, agree('sow 1', 'reap 0'))

quickly('undo while a redo is under way ends that, and is no failure',
  change(1, { n: 1 }, abortable), undo,
  async ({ history }) => {
    const again = history.redo().catch(() => {})
    await history.undo()
    await again
    assert.is(history.error.value, undefined)
  },
  can(false, true), redo, can(true, false), answerAll, agree('sow 1', 'reap 0'))

quickly('a group is taken back before what was done before it, though its calls go one after the other',
  change(1, { title: 'mow' }), group(change(1, { title: 'hoe' }), create('dig')), answerAll, agree('hoe 0', 'reap 0', 'dig 0'),
  undo, undo, answerAll, agree('sow 0', 'reap 0'))

quickly('what is made again is there before what was done to it is done again',
  create('mow'), answerAll, change(10, { n: 1 }), answerAll, undo, undo, answerAll, agree('sow 0', 'reap 0'),
  clearSent, redo, redo, answerAll, agree('sow 0', 'reap 0', 'mow 1'), sends('POST /tasks {"title":"mow","n":0}', 'PATCH /tasks/11 {"n":1}'))

quickly('a group is done again before what was done after it',
  group(change(1, { n: 1 }), change(2, { n: 1 })), change(2, { n: 2 }), answerAll,
  undo, undo, answerAll, agree('sow 0', 'reap 0'), redo, redo, answerAll, agree('sow 1', 'reap 2'))

quickly('what is done again counts before what is done after that',
  change(1, { n: 1 }), answerAll, undo, redo, change(1, { n: 2 }), answerAll, agree('sow 2', 'reap 0'))

quickly('a group that is to be done again while it is being taken back: what was not taken back is not done twice',
  group(create('mow'), change(1, { n: 1 })), answerAll, clearSent,
  undo, redo, answerAll, agree('sow 1', 'reap 0', 'mow 0'), sends('PATCH /tasks/1 {"n":0}', 'PATCH /tasks/1 {"n":1}'),
  undo, answerAll, agree('sow 0', 'reap 0'), redo, answerOne, undo, answerAll, agree('sow 0', 'reap 0'), can(false, true))

quickly('a deletion that is to be done again while what it deleted is being made again is done to that',
  remove(1), answerAll, undo, redo, answerAll, agree('reap 0'), can(true, false))

quickly('a call whose getUndo gives nothing is passed over',
  change(2, { title: 'mow' }), change(1, { n: 1 }, silent), change(1, { n: 2 }), answerAll,
  undo, undo, answerAll, agree('sow 1', 'reap 0'))

quickly('what is done after an undo that passes over all there is stays',
  change(1, { n: 1 }, silent), change(2, { n: 1 }, silent), answerAll, undo, edit(1, { title: 'mow' }), answerAll, shows('mow 1', 'reap 1'))

quickly('a local write is taken back to what it was done over, once what came after it is',
  write(1, { n: 1 }), change(1, { n: 2 }), answerAll, undo, undo, answerAll, shows('sow 0', 'reap 0'))

quickly('what was undone before the server knew of it is done again: the creation first, and then what was done to it',
  async world => {
    const { controller } = world
    void controller.fetch(getList.push.extend({ getUndo: undefined as never }), { title: 'mow', n: 0 })
    const { id } = controller.getResponse(getList).data!.at(-1)!
    void controller.fetch(partialUpdate, { id }, { n: 1 })
    for (const step of [undo, undo, shows('sow 0', 'reap 0'), redo, redo, shows('sow 0', 'reap 0', 'mow 1')]) await step(world)
    assert.is(controller.get(Task, { id })?.n, 1)
  },
  answerAll, agree('sow 0', 'reap 0', 'mow 1'), sends('POST /tasks {"title":"mow","n":0}', 'PATCH /tasks/10 {"n":1}'))

quickly('a poll that is answered before the call, and tells of it already, does not change what is undone',
  change(1, { title: 'mow' }), tell({ id: 1, title: 'mow', n: 0 }),
  answerAll, undo, answerAll, sends('PATCH /tasks/1 {"title":"mow"}', 'PATCH /tasks/1 {"title":"sow"}'))

quickly('and a row that was reported anew while it was being deleted comes back as it was last',
  remove(1), tell({ id: 1, title: 'theirs', n: 0 }), answerAll,
  undo, answerAll, sends('DELETE /tasks/1', 'POST /tasks {"id":1,"title":"theirs","n":0}'))

quickly('a local write that waited for a call is undone to what the server has, not to what the call had expected',
  refuse(() => true), change(1, { title: 'mow' }), edit(1, { title: 'rake' }), answerAll, shows('rake 0', 'reap 0'), undo, shows('sow 0', 'reap 0'))

quickly('and the call beneath it is undone after that: a field that the user has written over is not one that somebody else has changed',
  change(1, { title: 'hoe' }), change(1, { title: 'mow' }), edit(1, { title: 'rake' }), answerAll,
  undo, shows('mow 0', 'reap 0'), undo, answerAll, agree('hoe 0', 'reap 0'), undo, answerAll, agree('sow 0', 'reap 0'))

quickly('a local write that waited for a call, and then had nothing to change, is nothing to undo',
  call(Tasks.delete.extend({ getOptimisticResponse: (snap: { abort: unknown }) => snap.abort }), { id: 1 }),
  edit(1, { title: 'rake' }), answerAll,
  undo, answerAll, sends('DELETE /tasks/1', 'POST /tasks {"id":1,"title":"sow","n":0}'), can(false, true),
  redo, answerAll, can(true, false))

test.run()
inFlight.run()
