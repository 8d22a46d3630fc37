import { h, type ComponentChild } from 'preact'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useController, useHistory, useQuery, useSuspense } from '../../../bindings/preact/index.ts'
import { historyOf } from '../../../src/history/index.ts'
import type { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { waitFor } from './preactFramework.ts'
import { Stage } from './preactStage.ts'
import { get, isDisposed, Todo } from './todo.ts'

/** What a provider of Preact does beside what both bindings do. */
const test = suite('preact: DataProvider and useController')
withDom(test)

let stage: Stage
let seen: Controller
test.before.each(() => {
  stage = new Stage()
})
test.after.each(() => stage.end())

const Reader = (): null => ((seen = useController()), null)
const Title = (): ComponentChild => useSuspense(get.extend({ transport: stage.wire.fetch }), { id: '1' }).title

/** Draws a provider, and gives the controller that a reader below it sees. */
function provide(controller?: Controller): Controller {
  stage.draw(h(DataProvider, { controller, children: h(Reader, null) }))
  return seen
}

test('the provider keeps its own controller, a given one replaces it, and when that is taken away another own one follows', () => {
  const own = provide()
  assert.is(provide(), own)
  assert.is(provide(stage.controller), stage.controller)
  assert.ok(isDisposed(own))
  const next = provide()
  assert.is(new Set([own, stage.controller, next]).size, 3)
  assert.equal([next, stage.controller].map(isDisposed), [false, false])
  provide(stage.controller)
  stage.draw(null)
  assert.equal([next, stage.controller].map(isDisposed), [true, false])
})

test('a provider that is rendered again renders nobody below it', () => {
  let renders = 0
  const Counted = (): ComponentChild => (renders++, useQuery(Todo, { id: '1' })?.title)
  stage.show(h(Counted, {}))
  stage.show(h(Counted, {}))
  assert.is(renders, 1)
})

test('a provider below the boundary keeps its own store while its children wait, and disposes of it when it goes', async () => {
  const owns = new Set<Controller>()
  const Own = (): null => (owns.add(useController()), null)
  stage.draw(waitFor(h(DataProvider, {}, h(Own, {}), h(Title, {}))))
  await stage.arrives('1', 'milk', 'milk')
  const [own] = [...owns] as [Controller]
  own.invalidate(get, { id: '1' })
  await stage.shows('waiting')
  await stage.arrives('1', 'bread', 'bread')
  assert.equal([owns.size, stage.wire.sent.length, isDisposed(own)], [1, 2, false])
  stage.draw(null)
  assert.ok(isDisposed(own))
})

test('a provider that goes while its children wait disposes of its own store', async () => {
  stage.draw(h(DataProvider, {}, h(Reader, {}), waitFor(h(Title, {}))))
  await stage.shows('waiting')
  stage.draw(null)
  assert.ok(isDisposed(seen))
})

test('two copies of signals are noticed', () => {
  const foreign = Object.assign(Object.create(stage.controller) as Controller, { view: () => ({ value: undefined }) })
  stage.draw(waitFor(h(DataProvider, { controller: foreign })))
  assert.match(stage.text, /two copies of @preact\/signals-core.*npm dedupe/)
})

test('useHistory gives signals and verbs', async () => {
  const Undo = (): ComponentChild => {
    const { canUndo } = useHistory()
    return `${useQuery(Todo, { id: '1' })?.title} ${canUndo.value}`
  }
  stage.store('1', 'milk')
  stage.show(h(Undo, {}))
  stage.retitle('1', 'bread')
  await stage.shows('bread true')
  await historyOf(stage.controller).undo()
  await stage.shows('milk false')
})

test.run()
