import { createMemo, createRenderEffect, type JSX } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useCache, useDLE, useSuspense } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { withDom } from '../../support/dom.ts'
import { mountSolid } from './solidFramework.ts'
import { getList } from './solidTodo.ts'
import { until, Wire } from './wire.ts'

const test = suite('solid: who runs')

withDom(test)

const all = (): object[] => [{ id: '1', title: 'one' }, { id: '2', title: 'two' }]

test('who waited runs once when it has come, and not at all when it is waited for again and comes the same', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch })
  let reads = 0
  const screen = mountSolid(controller, () => {
    const todos = useSuspense(getList)
    const count = createMemo(() => {
      reads++
      return todos()?.length
    })
    return (() => `${count()}`) as unknown as JSX.Element
  })
  assert.equal([screen.text(), reads], ['waiting', 1])
  await wire.answer('/todos', all())
  await until(() => screen.text() !== 'waiting')
  assert.is(reads, 2)
  controller.invalidate(getList)
  await until(() => screen.text() === 'waiting')
  await wire.answer('/todos', all())
  await until(() => screen.text() !== 'waiting')
  assert.is(reads, 2)
  screen.unmount()
  controller.dispose()
})

test('an error wakes readers once, and again when another one is stored', async () => {
  const wire = new Wire()
  const controller = new Controller({ fetch: wire.fetch, retry: false })
  controller.setResponse(getList, all())
  const errors: unknown[] = []
  let stored = 0
  const screen = mountSolid(controller, () => {
    const todos = useDLE(getList)
    const cached = useCache(getList)
    createRenderEffect(() => void errors.push((todos.error as { status?: number } | undefined)?.status))
    createRenderEffect(() => {
      cached()
      stored++
    })
    return ''
  })
  for (const status of [500, 200]) {
    controller.expireAll({ testKey: () => true })
    await wire.answer('/todos', all(), status)
    await until(() => !controller.isFetching(getList))
  }
  assert.equal([errors, stored], [[undefined, 500, undefined], 1])
  screen.unmount()
  controller.dispose()
})

test.run()
