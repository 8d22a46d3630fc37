import { array } from 'fast-check'
import { h, type ComponentChild } from 'preact'
import { act } from 'preact/test-utils'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useController, useDLE, useQuery, useSuspense } from '../../../bindings/preact/index.ts'
import { withDom } from '../../support/dom.ts'
import { law } from '../../support/settings.ts'
import { mountPreact } from './preactFramework.ts'
import { Cell, Cells, get, getList, spell, spellAll, writes } from './torn.ts'

const test = suite('preact: no torn reads')
withDom(test)

/** Turns of some writes each, after which the page is drawn. */
const turns = array(writes(3), { minLength: 1, maxLength: 8 })

law(test, 'INV-20 all that the components of one commit show is of one state, and each is rendered once', 100, turns, history => {
  const cells = new Cells()
  const { controller } = cells
  const truth = (): string => {
    const list = spellAll(controller.getResponse(getList).data)
    return `${list}|${spell(controller.get(Cell, { id: '0' }))}|${list}`
  }
  let renders: Record<string, number> = {}
  const count = (name: string): void => void (renders[name] = (renders[name] ?? 0) + 1)
  const One = (): ComponentChild => {
    count('one')
    const one = useSuspense(get, { id: '0' })
    assert.is(useQuery(Cell, { id: '0' }), one)
    return spell(one)
  }
  const List = (): ComponentChild => {
    count('list')
    return spellAll(useDLE(getList).data)
  }
  const Live = (): ComponentChild => {
    count('live')
    return spellAll(useController().live(getList))
  }
  const screen = mountPreact(controller, () => [h(List, {}), '|', h(One, {}), '|', h(Live, {})])
  assert.is(screen.text(), truth())
  for (const turn of history) {
    renders = {}
    void act(() => turn.forEach(write => cells.write(write)))
    assert.is(screen.text(), truth())
    for (const [name, times] of Object.entries(renders)) assert.is(times, 1, `${name} was rendered ${times} times`)
  }
  screen.unmount()
  controller.dispose()
})

test.run()
