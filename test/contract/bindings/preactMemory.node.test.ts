import { useComputed } from '@preact/signals'
import { h, type ComponentChild } from 'preact'
import { Suspense } from 'preact/compat'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useQuery, useQuerySignal, useSubscription, useSuspense } from '../../../bindings/preact/index.ts'
import { withDom } from '../../support/dom.ts'
import { heapUsed } from '../../support/heapUsed.ts'
import { settle, Stage } from './preactStage.ts'
import { get, getList, rowsOf, Todo } from './todo.ts'

/** Nothing is left behind by what has gone. */
const test = suite('preact: memory')
withDom(test)

const polled = get.extend({ pollFrequency: 1000 })

test('the heap after 100 mounts and unmounts of 500 rows is that after 20', async () => {
  const stage = new Stage()
  stage.controller.setResponse(getList, rowsOf(500))
  const Row = ({ id }: { id: string }): ComponentChild => {
    const todo = useQuerySignal(Todo, { id })
    const title = useComputed(() => todo.value?.title)
    // All of them in some rows, so that this does not take a minute.
    if (Number(id) % 50 > 0) return h('li', null, title)
    useSubscription(polled, { id })
    return h('li', null, title, useSuspense(get, { id }).title, useDLE(get, { id }).data!.title, useQuery(Todo, { id })!.id)
  }
  const List = (): ComponentChild => useSuspense(getList).map(({ id }) => h(Row, { key: id, id }))
  const cycle = (times: number): void => {
    for (let time = 0; time < times; time++) {
      stage.show(h(Suspense, { fallback: 'waiting', children: h(List, {}) }))
      assert.is(stage.page.querySelectorAll('li').length, 500)
      stage.draw(null)
    }
  }
  cycle(20)
  const before = await heapUsed(3)
  cycle(80)
  const grown = (await heapUsed(3)) - before
  // 40,000 rows came and went; one signal of each that stayed would be 4 MB.
  assert.ok(grown < 500_000, `it has grown by ${grown} bytes`)
  // The views that nobody reads any more are released some time later.
  for (let turn = 0; turn < 3; turn++) {
    stage.clock.advance(600_000)
    await settle()
  }
  assert.is(stage.clock.pending, 0)
  assert.equal(stage.wire.sent, [])
  stage.end()
})

test.run()
