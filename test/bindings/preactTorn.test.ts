import { array, constantFrom, nat, record, uniqueArray } from 'fast-check'
import { h, type ComponentChild } from 'preact'
import { act } from 'preact/test-utils'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useController, useDLE, useQuery, useSuspense } from '../../bindings/preact/index.ts'
import { Controller, createResource, Entity } from '../../src/index.ts'
import { withDom } from '../dom.ts'
import { law } from '../laws/settings.ts'
import { mountPreact } from './preactFramework.ts'

const test = suite('preact: no torn reads')
withDom(test)

class Cell extends Entity {
  id = ''
  version = 0
  copy = 0
  static override key = 'Cell'
}
const { get, getList } = createResource({ path: '/cells/:id', schema: Cell })

/** Turns of some writes each, after which the page is drawn. A write stamps its number on everything that it touches. */
const turns = array(
  array(record({ how: constantFrom('list', 'set', 'get', 'error', 'expire'), ids: uniqueArray(nat(3), { minLength: 1 }) }), { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 8 },
)

law(test, 'INV-20 all that the components of one commit show is of one state, and each is rendered once', 100, turns, history => {
  const controller = new Controller({ fetch: () => new Promise(() => {}) })
  const write = (version: number, how: string, ids: number[]): void => {
    const rows = ids.map(id => ({ id: String(id), version, copy: version }))
    if (how === 'list') controller.setResponse(getList, rows)
    else if (how === 'get') controller.setResponse(get, { id: '0' }, { id: '0', version, copy: version })
    else if (how === 'set') for (const row of rows.slice(0, 1)) controller.set(Cell, { id: row.id }, row)
    else if (how === 'error') controller.setError(get, { id: '0' }, Object.assign(new Error('soft'), { status: 500 }))
    else controller.expireAll({ testKey: () => true })
  }
  write(0, 'list', [0, 1, 2, 3])
  write(0, 'get', [0])
  const spell = (cell: Cell | undefined): string => `${cell?.id}:${cell?.version}:${cell?.copy}`
  const truth = (): string => {
    const list = (controller.getResponse(getList).data ?? []).map(spell).join()
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
    return (useDLE(getList).data ?? []).map(spell).join()
  }
  const Live = (): ComponentChild => {
    count('live')
    return useController().live(getList)!.map(spell).join()
  }
  const screen = mountPreact(controller, () => [h(List, {}), '|', h(One, {}), '|', h(Live, {})])
  assert.is(screen.text(), truth())
  let version = 0
  for (const turn of history) {
    renders = {}
    void act(() => turn.forEach(({ how, ids }) => write(++version, how, ids)))
    assert.is(screen.text(), truth())
    for (const [name, times] of Object.entries(renders)) assert.is(times, 1, `${name} was rendered ${times} times`)
  }
  screen.unmount()
  controller.dispose()
})

test.run()
