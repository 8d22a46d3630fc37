import { array, constantFrom, nat, record, uniqueArray, type Arbitrary } from 'fast-check'
import { Controller, createResource, Entity } from '../../../src/index.ts'

// What both bindings are asked about torn reads: rows whose two fields always hold one number, and writes of all kinds.

export class Cell extends Entity {
  id = ''
  version = 0
  copy = 0
  static override key = 'Cell'
}
export const { get, getList } = createResource({ path: '/cells/:id', schema: Cell })

/** One write. It stamps its number on everything that it touches. */
export interface CellWrite {
  readonly how: 'list' | 'set' | 'get' | 'error' | 'expire'
  readonly ids: readonly number[]
}

export const writes = (maxLength: number): Arbitrary<CellWrite[]> =>
  array(record({ how: constantFrom('list', 'set', 'get', 'error', 'expire'), ids: uniqueArray(nat(3), { minLength: 1 }) }), { minLength: 1, maxLength })

/** A store of four cells, whose requests are never answered. */
export class Cells {
  readonly controller: Controller = new Controller({ fetch: () => new Promise(() => {}) })
  #version = 0

  constructor() {
    this.write({ how: 'list', ids: [0, 1, 2, 3] })
    this.write({ how: 'get', ids: [0] })
  }

  write({ how, ids }: CellWrite): void {
    const { controller } = this
    const version = ++this.#version
    const rows = ids.map(id => ({ id: String(id), version, copy: version }))
    if (how === 'list') controller.setResponse(getList, rows)
    else if (how === 'get') controller.setResponse(get, { id: '0' }, { id: '0', version, copy: version })
    else if (how === 'set') controller.set(Cell, { id: rows[0]!.id }, rows[0]!)
    else if (how === 'error') controller.setError(get, { id: '0' }, Object.assign(new Error('soft'), { status: 500 }))
    else controller.expireAll({ testKey: () => true })
  }
}

export const spell = (cell: Cell | undefined): string => `${cell?.id}:${cell?.version}:${cell?.copy}`
export const spellAll = (cells: readonly Cell[] | undefined): string => (cells ?? []).map(spell).join()
