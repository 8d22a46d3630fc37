import { createMemo, createRenderEffect } from 'solid-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useQuery, useSuspense } from '../../../bindings/solid/index.ts'
import { withDom } from '../../support/dom.ts'
import { law } from '../../support/settings.ts'
import { mountSolid } from './solidFramework.ts'
import { Cell, Cells, get, getList, spellAll, writes } from './torn.ts'

const test = suite('solid: no torn reads')
withDom(test)

law(test, 'INV-20 all that one run reads is of one commit, and no reader runs twice for one', 300, writes(12), history => {
  const cells = new Cells()
  const { controller } = cells
  const seen: string[] = []
  let runs = 0
  const truth = (): string => {
    const list = controller.getResponse(getList).data
    const one = controller.getResponse(get, { id: '0' })
    return `${spellAll(list)} ${one.data?.version} ${list?.[0]?.version} ${String(controller.getError(get, { id: '0' }))}`
  }
  const screen = mountSolid(controller, () => {
    const list = useDLE(getList)
    const one = useSuspense(get, { id: '0' })
    const first = createMemo(() => list.data?.[0]?.version)
    const same = useQuery(Cell, () => ({ id: '0' }))
    createRenderEffect(() => {
      runs++
      assert.is(same(), one())
      seen.push(`${spellAll(list.data)} ${one()?.version} ${first()} ${String(one.error)}`)
    })
    return ''
  })
  const truths = new Set([truth()])
  for (const write of history) {
    runs = 0
    cells.write(write)
    truths.add(truth())
    // Expiry starts requests, which is an operation of its own for each of the two endpoints.
    assert.ok(runs <= (write.how === 'expire' ? 3 : 1), `${write.how} ran the reader ${runs} times`)
    assert.is(seen.at(-1), truth())
  }
  screen.unmount()
  controller.dispose()
  for (const each of seen) assert.ok(truths.has(each), `${each} was never so`)
})

test.run()
