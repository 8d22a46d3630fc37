import { obtain } from '../base/obtain.ts'
import type { QueryHost } from '../schema/interface.ts'
import type { Cell, CellTable } from '../store/cell.ts'
import { indexed, indexName, lookup } from '../store/lookup.ts'
import type { Row } from '../store/rows.ts'
import { cellsOf, rowOf, type State } from '../store/state.ts'
import { forEachOne, withOne, withoutOne, type Few } from './few.ts'
import { isEntityNode, Readers, type EntityNode, type Findings, type ViewNode } from './node.ts'

/** Who looks at a table as a whole. */
interface TableWatch {
  /** Those who show, or counted, all of its rows. */
  readonly members: Readers
  /** Those who asked for a row by the value of a field. */
  readonly lookups: Map<string, Map<string, Readers>>
}

/** Who looks, and at what so far. */
export interface Looking {
  readonly node: ViewNode
  looked: (Cell | Readers)[] | undefined
}

/** From this many sources on, one is not looked for among the others: twice the same is no harm. */
const MANY = 16

/** Reads one version of the store on behalf of a node, and remembers what it looked at. */
export class Sources implements QueryHost {
  /** The version that views show. It moves between two passes, never within one. */
  declare state: State
  reader: Looking | undefined = undefined

  constructor(state: State) {
    this.state = state
  }

  has(key: string, pk: string): boolean {
    return this.record(key, pk) !== undefined
  }

  record(key: string, pk: string): Row | undefined {
    return rowOf(this.state, this.#look(this.table(key).intern(pk)))
  }

  result(endpointKey: string): unknown {
    return rowOf(this.state, this.#look(this.state.cells!.endpoints.intern(endpointKey)))
  }

  known(key: string): boolean {
    return this.all(key) !== undefined
  }

  all(key: string): readonly string[] | undefined {
    const { members } = watchOf(this.table(key))
    if (this.#note(members)) members.add(this.reader!.node)
    return (members.pks ??= cellsOf(this.state, key)?.map(cell => cell.pk))
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    const name = indexName(value)
    if (name === undefined) return undefined
    const { lookups } = watchOf(this.table(key))
    const byValue = obtain(lookups, field, () => new Map<string, Readers>())
    const whenEmpty = (): void => {
      byValue.delete(name)
      if (byValue.size === 0) lookups.delete(field)
    }
    const readers = obtain(byValue, name, () => new Readers(whenEmpty))
    if (this.#note(readers)) readers.add(this.reader!.node)
    return lookup(this.state, key, field, value)?.pk
  }

  table(key: string): CellTable {
    return this.state.cells!.table(key)
  }

  /** Whether `test` holds for one of the things that `node` last looked at, as they are now. */
  stillHas(node: ViewNode, test: (data: unknown) => boolean): boolean {
    return (node.findings?.sources ?? []).some(source => test(source instanceof Readers ? source.pks : rowOf(this.state, source)))
  }

  #look(cell: Cell): Cell {
    if (this.#note(cell)) addWatcher(cell, this.reader!.node)
    return cell
  }

  #note(source: Cell | Readers): boolean {
    if (this.reader === undefined) return false
    const looked = (this.reader.looked ??= [])
    if (looked.length < MANY && looked.includes(source)) return false
    looked.push(source)
    return true
  }
}

/** From here on `node` is told of what it looked at this time, and of nothing else. */
export function settleFindings(node: ViewNode, findings: Findings | undefined): void {
  const old = node.findings
  node.findings = findings
  if (old === undefined) return
  const kept = new Set(findings?.sources)
  for (const source of old.sources) if (!kept.has(source)) leave(source, node)
}

function leave(source: Cell | Readers, node: ViewNode): void {
  if (source instanceof Readers) source.leave(node)
  // The node of an entity hears of its own cell as long as it lives.
  else if (node.cell !== source) removeWatcher(source, node)
}

/** Tells whoever looked at a row that it changed. */
export function tellReaders(cell: Cell, before: Row | undefined, after: Row | undefined, tell: (node: ViewNode) => void): void {
  forEachOne(cell.watch as Few<ViewNode>, tell)
  const watch = cell.table.watch as TableWatch | undefined
  if (watch === undefined) return
  if (before === undefined || after === undefined) {
    watch.members.pks = undefined
    watch.members.forEach(tell)
  }
  for (const [field, byValue] of watch.lookups) {
    // Which of several rows came first may be another now.
    if (before === after) for (const readers of byValue.values()) readers.forEach(tell)
    const from = indexed(before, field)
    const to = indexed(after, field)
    if (from === to) continue
    if (from !== undefined) byValue.get(from)?.forEach(tell)
    if (to !== undefined) byValue.get(to)?.forEach(tell)
  }
}

function watchOf(table: CellTable): TableWatch {
  return (table.watch ??= { members: new Readers(), lookups: new Map() } satisfies TableWatch) as TableWatch
}

/** Most cells have one reader: the node of their entity. */
export function addWatcher(cell: Cell, node: ViewNode): void {
  cell.watch = cell.watch === undefined ? node : withOne(cell.watch as Few<ViewNode>, node)
}

export function removeWatcher(cell: Cell, node: ViewNode): void {
  // Until now it was of use.
  cell.used = 0
  cell.watch = withoutOne(cell.watch as Few<ViewNode>, node)
}

/** The node of a cell for one class, if it has one. */
export function entityNodeOf(cell: Cell, entity: unknown): EntityNode | undefined {
  const watch = cell.watch as Few<ViewNode>
  if (watch instanceof Set) {
    for (const node of watch) if (isEntityNode(node) && node.schema === entity) return node
    return undefined
  }
  return watch !== undefined && isEntityNode(watch) && watch.schema === entity ? watch : undefined
}
