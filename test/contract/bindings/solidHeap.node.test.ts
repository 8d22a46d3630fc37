import { createComponent, createRenderEffect, createRoot, mapArray } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DataProvider, useSuspense } from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { heapUsed } from '../../support/heapUsed.ts'
import { get, getList } from './todo.ts'

const test = suite('solid: heap')

const { gc } = globalThis as { gc?: () => void }
const controller = new Controller()
test.after(() => controller.dispose())

/** Rows without elements: the DOM of this process would keep its own. */
function mount(): { dispose: () => void; texts: string[] } {
  const texts: string[] = []
  return createRoot(dispose => {
    createComponent(DataProvider, {
      controller,
      get children() {
        const todos = useSuspense(getList)
        const rows = mapArray(() => todos(), (todo, index) => createRenderEffect(() => (texts[index()] = todo.title)))
        createRenderEffect(rows)
        return undefined
      },
    })
    return { dispose, texts }
  })
}

async function cycles(count: number, end: (dispose: () => void) => void): Promise<number> {
  for (let turn = 0; turn < count; turn++) {
    const { dispose, texts } = mount()
    // No `set`: the history would keep it, as it should.
    controller.setResponse(get, { id: '3' }, { id: '3', title: `turn ${turn}` })
    assert.equal([texts.length, texts[3]], [500, `turn ${turn}`])
    end(dispose)
    await new Promise(resolve => setTimeout(resolve))
  }
  return heapUsed(6)
}

test('a hundred times five hundred rows, mounted, changed and unmounted, leave nothing behind', async () => {
  assert.ok(gc, 'run with --expose-gc')
  controller.setResponse(getList, Array.from({ length: 500 }, (_, id) => ({ id: String(id), title: `title ${id}` })))
  let before = await cycles(100, dispose => dispose())
  const perCycle: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const after = await cycles(100, dispose => dispose())
    perCycle.push(Math.round((after - before) / 100))
    before = after
  }
  // The engine's own comings and goings show in one hundred or the other; what leaks shows in all. A row would be more.
  assert.ok(Math.min(...perCycle) < 400, `${perCycle.join(', ')} bytes a cycle stayed`)
  // The measure is good: what is not unmounted is seen.
  const retained: unknown[] = []
  const now = await heapUsed(6)
  const leaking = ((await cycles(5, dispose => retained.push(dispose))) - now) / 5
  assert.ok(leaking > 50_000, `${Math.round(leaking)} bytes a cycle were seen to stay`)
  for (const dispose of retained.splice(0)) (dispose as () => void)()
})

test.run()
