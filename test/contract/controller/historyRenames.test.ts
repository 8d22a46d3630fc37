import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHistory } from '../../../src/history/index.ts'
import { Controller, createResource, Entity, schema, type Action, type AnyEndpoint, type FetchAction } from '../../../src/index.ts'
import { abortable, story as storyOf, Task, Tasks, type Step } from './historyStory.ts'
import { answerAll, answerOne, call, clearSent, create, edit, hold, redo, sends, undo, write } from './historyStory.ts'

const test = suite('history: what has another pk now')
const story = storyOf.bind(undefined, test)

const Parts = createResource({ path: '/projects/:project/parts/:id', schema: Task, optimistic: true })
const stored = (url: string, row: object): Step => ({ rows }) => rows.set(url, { ...row })
const project = 3
const part = { project, id: 3 }
/** A part whose pk is that of its project, changed and deleted. */
const changed = [
  stored('/projects/3/parts/3', { id: 3, title: 'sow' }), call(Parts.getList, { project }),
  call(Parts.partialUpdate, part, { title: 'mow' }), call(Parts.delete, part), clearSent,
]

story('only the parameter that names the row is another one, not those that happen to have its number',
  ...changed, undo, sends('POST /projects/3/parts {"id":3,"title":"mow"}'), undo, sends('PATCH /projects/3/parts/10 {"title":"sow"}'),
  redo, sends('PATCH /projects/3/parts/10 {"title":"mow"}'))

story('nor those of the creation',
  call(Parts.getList, { project: 10 }), call(Parts.getList.push, { project: 10 }, { title: 'mow' }), call(Parts.delete, { project: 10, id: 10 }),
  clearSent, undo, undo, sends('POST /projects/10/parts {"title":"mow","id":10}', 'DELETE /projects/10/parts/11'))

story('a number becomes what the row is called now, also where that is none',
  ...changed, ({ server }) => void (server.createId = () => 'part-7'),
  undo, undo, sends('POST /projects/3/parts {"id":3,"title":"mow"}', 'PATCH /projects/3/parts/part-7 {"title":"sow"}'))

story('a call that was undone under way is done again under the pk that its row has by then',
  hold, create('mow'), ({ controller }) => void controller.fetch(abortable, { id: controller.getResponse(Tasks.getList).data!.at(-1)!.id }, { n: 1 }),
  answerOne, sends('POST /tasks {"title":"mow","n":0}', 'PATCH /tasks/10 {"n":1}'),
  undo, undo, answerAll, redo, answerAll, redo, answerAll, sends('DELETE /tasks/10', 'POST /tasks {"title":"mow","n":0}', 'PATCH /tasks/11 {"n":1}'))

const showsTask = (expected: { id: number; title: string }): Step => ({ controller }) => {
  const { id, title } = controller.getResponse(Tasks.getList).data!.at(-1)!
  assert.equal({ id, title }, expected)
}

story('a local write is done again to the row as it is called now',
  edit(2, { title: 'mow' }), write(2, { title: 'rake' }), call(Tasks.delete, { id: 2 }),
  undo, undo, undo, showsTask({ id: 10, title: 'reap' }), redo, showsTask({ id: 10, title: 'mow' }), redo, showsTask({ id: 10, title: 'rake' }),
  ({ controller }) => assert.is(controller.get(Task, { id: 2 }), undefined))

class Note extends Entity {
  static override key = 'Note'
  id = 0
  type = 'note'
  title = ''
}

class Picture extends Note {
  static override key = 'Picture'
  override type = 'picture'
}

const Feed = createResource({ path: '/posts/:id', schema: new schema.Union({ note: Note, picture: Picture }, 'type'), optimistic: true })
const showsPosts = (...expected: string[]): Step => ({ controller }) =>
  assert.equal(controller.getResponse(Feed.getList).data!.map(({ id, title }) => `${id} ${title}`), expected)

story('one of several types is known by the answer, where the arguments do not say which',
  stored('/posts/3', { id: 3, type: 'picture', title: 'sow' }), call(Feed.getList), call(Feed.partialUpdate, { id: 3 }, { title: 'mow' }),
  undo, showsPosts('3 sow'), redo, call(Feed.delete, { id: 3 }), showsPosts(), undo, showsPosts('10 mow'), undo, showsPosts('10 sow'),
  clearSent, redo, redo, showsPosts(), sends('PATCH /posts/10 {"title":"mow"}', 'DELETE /posts/10'))

story('and one that is made again is found by its steps',
  call(Feed.getList), call(Feed.getList.push, { type: 'note', title: 'sow' }), call(Feed.partialUpdate, { id: 10 }, { title: 'mow' }),
  clearSent, undo, undo, redo, redo,
  sends('PATCH /posts/10 {"title":"sow"}', 'DELETE /posts/10?type=note', 'POST /posts {"type":"note","title":"sow"}', 'PATCH /posts/11 {"title":"mow"}'))

class Project extends Entity {
  static override key = 'Project'
  id = 0
  name = ''
}

class Job extends Entity {
  static override key = 'Job'
  id = 0
  title = ''
  rank = 0
  project: Project | undefined = undefined
  others: Project[] = []
  parent: Job | undefined = undefined
  static override schema: { project: typeof Project; others: (typeof Project)[]; parent?: typeof Job } = { project: Project, others: [Project] }
}
Job.schema.parent = Job

const Projects = createResource({ path: '/projects/:id', schema: Project, optimistic: true })
const Jobs = createResource({ path: '/jobs/:id', schema: Job, optimistic: true })
const createProject = call(Projects.getList.push, { name: 'p' })

story('a call that is done again names what was made again as it is called now',
  createProject, call(Jobs.getList.push, { title: 't', rank: 10, project: 10, others: [10] }), clearSent, undo, undo, redo, redo,
  sends('DELETE /jobs/11', 'DELETE /projects/10', 'POST /projects {"name":"p"}', 'POST /jobs {"title":"t","rank":10,"project":12,"others":[12]}'))

story('also where it names itself in what it sends',
  call(Jobs.getList.push, { title: 't' }), call(Jobs.update, { id: 10 }, { id: 10, title: 'u', rank: 10 }), undo, undo, redo, clearSent, redo,
  sends('PUT /jobs/11 {"id":11,"title":"u","rank":10}'))

for (const act of [undo, redo]) {
  story('also when the next step is undone or done again before the answer', createProject, call(Jobs.getList.push, { title: 't', project: 10 }),
    ...(act === undo ? [call(Jobs.delete, { id: 11 }), call(Projects.delete, { id: 10 })] : [undo, undo]), hold, clearSent, act, act, answerAll, answerAll,
    sends(...(act === undo ? ['POST /projects {"name":"p","id":10}', 'POST /jobs {"title":"t","project":12,"id":11}'] : ['POST /projects {"name":"p"}', 'POST /jobs {"title":"t","project":12}'])))
}

story('but not where a field only happens to have its number, however often it is made again',
  call(Jobs.getList.push, { title: 't', rank: 10 }), undo, redo, clearSent, undo, redo, sends('DELETE /jobs/11', 'POST /jobs {"title":"t","rank":10}'))

story('and so does the call that takes it back',
  createProject, call(Jobs.getList.push, { title: 't', project: 10 }), call(Jobs.partialUpdate, { id: 11 }, { project: null }),
  call(Projects.delete, { id: 10 }), clearSent, undo, undo, sends('POST /projects {"name":"p","id":10}', 'PATCH /jobs/11 {"project":12}'))

story('and a local write',
  createProject, ({ controller }) => controller.set(Job, { id: 5, title: 't', rank: 10, project: { id: 10 } as never }), undo, undo, redo, redo,
  ({ controller }) => {
    const { project: named, rank } = controller.get(Job, { id: 5 })!
    assert.equal([named!.id, rank, controller.get(Project, { id: 10 })], [11, 10, undefined])
  })

const writeJob = (of: number): Step => ({ controller }) => controller.set(Job, { id: 5, project: { id: of } as never })
const showsJob = (of?: number): Step => ({ controller }) => assert.is((controller.get(Job, { id: 5 }) as Job | undefined)?.project?.id, of)
story('which is undone where the store has the former pk',
  createProject, writeJob(10), call(Projects.delete, { id: 10 }), undo, undo, ({ controller }) => assert.is(controller.get(Job, { id: 5 }), undefined))

story('and goes back to what was made again',
  createProject, createProject, writeJob(10), writeJob(11), call(Projects.delete, { id: 10 }), undo, undo, showsJob(12), undo, showsJob())

story('a call that changed a relation is undone and done again, though the row that it named was made again',
  createProject, createProject, call(Jobs.getList.push, { title: 't', project: 10 }), call(Jobs.partialUpdate, { id: 12 }, { project: 11 }),
  call(Projects.delete, { id: 11 }), undo, clearSent, undo, redo, sends('PATCH /jobs/12 {"project":10}', 'PATCH /jobs/12 {"project":13}'))

story('a call about a row that is being made again is sent with its new pk',
  call(Tasks.delete, { id: 2 }), clearSent, hold, undo, call(Tasks.partialUpdate, { id: 2 }, { title: 'mow' }), answerAll,
  sends('POST /tasks {"id":2,"title":"reap","n":0}', 'PATCH /tasks/10 {"title":"mow"}'), showsTask({ id: 10, title: 'mow' }))

story('a local write under the former pk, made while the row is made again, is undone there',
  call(Tasks.delete, { id: 2 }), hold, undo, write(2, { title: 'rake' }), undo, answerAll, showsTask({ id: 10, title: 'reap' }),
  ({ controller }) => assert.is(controller.get(Task, { id: 2 }), undefined))

story('also one whose value leads back to itself',
  createProject,
  ({ controller }) => {
    const job: { id: number; project: number; parent?: object } = { id: 5, project: 10 }
    job.parent = job
    controller.set(Job, job as never)
  },
  undo, undo, redo, redo,
  ({ controller }) => {
    const job = controller.get(Job, { id: 5 })!
    assert.equal([job.project!.id, job.parent === job], [11, true])
  })

/** A history whose requests are answered by hand, over a list of one task. */
function desk() {
  const requests: FetchAction[] = []
  const action = (each: Action): boolean => each.type === 'fetch' && requests.push(each) > 0
  const controller = new Controller({ managers: [{ action }], gc: false, revalidateOverlap: false })
  controller.setResponse(Tasks.getList, [{ id: 3, title: 'sow' }])
  return {
    requests,
    history: createHistory(controller),
    start: (endpoint: AnyEndpoint, ...args: unknown[]) => void controller.fetch(endpoint, ...args),
    /** Answers a request; its arguments are read first, as when it is sent. */
    answer: (value: object, at = requests.length - 1): void => {
      assert.ok(requests[at]!.args)
      requests[at]!.answer(value)
    },
  }
}
const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))

test('what was answered while something else had to be waited for is undone all the same', async () => {
  const { history, requests, start, answer } = desk()
  start(Tasks.getList.move, { id: 3 }, { title: 'mow' })
  start(Tasks.getList.push, { title: 'rake' })
  // The creation must stay above the move, which was asked for first; it is in the base only after that.
  answer({ id: 7, title: 'rake' })
  start(Tasks.partialUpdate, { id: 7 }, { title: 'hoe' })
  assert.equal(requests[2]!.args, [{ id: 7 }, { title: 'hoe' }])
  answer({ id: 3, title: 'mow' }, 0)
  answer({ id: 7, title: 'hoe' })
  start(Tasks.delete, { id: 7 })
  answer({ id: 7 })
  for (const [args, title] of [[[{ id: 7, title: 'hoe' }], 'hoe'], [[{ id: 8 }, { title: 'rake' }], 'rake'], [[{ id: 8 }], '']] as const) {
    void history.undo()
    assert.equal(requests.at(-1)!.args, args)
    answer({ id: 8, title })
    await turn()
  }
})

test('while a creation is slow, what was answered after it is what an undo goes back to', async () => {
  const { history, requests, start, answer } = desk()
  start(Tasks.getList.push, { title: 'rake' })
  // It changes lists, as the creation does, and so stays above that; and what is done to the same row stays above it.
  start(Tasks.getList.move, { id: 3 }, { title: 'mow' })
  answer({ id: 3, title: 'mow' })
  for (const title of ['hoe', 'dig']) {
    start(Tasks.partialUpdate, { id: 3 }, { title })
    answer({ id: 3, title })
  }
  const undone = history.undo()
  assert.equal(requests.at(-1)!.args, [{ id: 3 }, { title: 'hoe' }])
  answer({ id: 3, title: 'hoe' })
  await undone
  // A second deletion finds nothing, and so there is nothing to make again.
  for (let i = 0; i < 2; i++) {
    start(Tasks.delete, { id: 3 })
    answer({ id: 3 })
  }
  void history.undo()
  await turn()
  assert.equal(requests.at(-1)!.args, [{ id: 3, title: 'hoe' }])
})

test.run()
