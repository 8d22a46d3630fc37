import { createMemo, createRenderEffect } from 'solid-js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useDLE, useQuery, useSuspense } from '../../bindings/solid/index.ts'
import { Controller, createResource, Entity } from '../../src/index.ts'
import { withDom } from '../dom.ts'
import { mountSolid } from './solidFramework.ts'

const test = suite('solid: no torn reads')

withDom(test)

class Cell extends Entity {
  id = ''
  version = 0
  copy = 0
  static override key = 'Cell'
}
const { get, getList } = createResource({ path: '/cells/:id', schema: Cell })

/** One write: it stamps its number on everything that it touches. */
const writes = fc.array(fc.record({ how: fc.constantFrom('list', 'set', 'get', 'error', 'expire'), ids: fc.uniqueArray(fc.nat(3), { minLength: 1 }) }), {
  minLength: 1,
  maxLength: 12,
})

test('all that one run reads is of one commit, and no reader runs twice for one', () => {
  fc.assert(
    fc.property(writes, history => {
      const controller = new Controller({ fetch: () => new Promise(() => {}) })
      const write = (version: number, { how, ids }: (typeof history)[number]): void => {
        const rows = ids.map(id => ({ id: String(id), version, copy: version }))
        if (how === 'list') controller.setResponse(getList, rows)
        else if (how === 'get') controller.setResponse(get, { id: '0' }, { id: '0', version, copy: version })
        else if (how === 'set') for (const row of rows.slice(0, 1)) controller.set(Cell, { id: row.id }, row)
        else if (how === 'error') controller.setError(get, { id: '0' }, Object.assign(new Error('soft'), { status: 500 }))
        else controller.expireAll({ testKey: () => true })
      }
      write(0, { how: 'list', ids: [0, 1, 2, 3] })
      write(0, { how: 'get', ids: [0] })
      const seen: string[] = []
      let runs = 0
      const truth = (): string => {
        const list = controller.getResponse(getList).data ?? []
        const one = controller.getResponse(get, { id: '0' })
        const rows = list.map(cell => `${cell.id}:${cell.version}:${cell.copy}`).join()
        return `${rows} ${one.data?.version} ${list[0]?.version} ${String(controller.getError(get, { id: '0' }))}`
      }
      const screen = mountSolid(controller, () => {
        const list = useDLE(getList)
        const one = useSuspense(get, { id: '0' })
        const first = createMemo(() => list.data?.[0]?.version)
        const same = useQuery(Cell, () => ({ id: '0' }))
        createRenderEffect(() => {
          runs++
          const rows = (list.data ?? []).map(cell => `${cell.id}:${cell.version}:${cell.copy}`).join()
          assert.is(same(), one())
          seen.push(`${rows} ${one()?.version} ${first()} ${String(one.error)}`)
        })
        return ''
      })
      const told = new Set([truth()])
      history.forEach((each, index) => {
        runs = 0
        write(index + 1, each)
        told.add(truth())
        // Expiry starts requests, which is an operation of its own for each of the two endpoints.
        assert.ok(runs <= (each.how === 'expire' ? 3 : 1), `${each.how} ran the reader ${runs} times`)
        assert.is(seen.at(-1), truth())
      })
      screen.unmount()
      controller.dispose()
      for (const each of seen) assert.ok(told.has(each), `${each} was never so`)
    }),
    { numRuns: 300 },
  )
})

test.run()
