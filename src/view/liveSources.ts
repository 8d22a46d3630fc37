import { obtain } from '../base/obtain.ts'
import type { QueryHost } from '../schema/interface.ts'
import { indexName, lookup } from '../store/lookup.ts'
import type { Row } from '../store/rows.ts'
import { cellsOf, readResult, readRow, type State } from '../store/state.ts'
import { LiveIndex } from './liveIndex.ts'
import { LiveTable, type TableMembers } from './liveTable.ts'
import type { Source, Tracker } from './tracker.ts'

/** Reads the store for whoever is running, and makes them depend on what they looked at. */
export class LiveSources implements QueryHost {
  declare readonly tracker: Tracker
  /** The version that is shown. One for all reads, so that no two of them come from different commits. */
  declare state: State
  protected readonly tables: Map<string, LiveTable> = new Map()
  protected readonly results: LiveIndex<Source> = new LiveIndex()

  constructor(state: State, tracker: Tracker) {
    this.state = state
    this.tracker = tracker
  }

  has(key: string, pk: string): boolean {
    this.#track(this.table(key).presence, pk)
    return readRow(this.state, key, pk) !== undefined
  }

  record(key: string, pk: string): Row | undefined {
    this.#track(this.table(key).content, pk)
    return readRow(this.state, key, pk)
  }

  lookup(key: string, field: string, value: unknown): string | undefined {
    const name = indexName(value)
    if (name === undefined) return undefined
    this.#track(obtain(this.table(key).lookups, field, () => new LiveIndex<Source>()), name)
    return lookup(this.state, key, field, value)?.pk
  }

  known(key: string): boolean {
    return this.all(key) !== undefined
  }

  all(key: string): readonly string[] | undefined {
    const table = this.table(key)
    let members = table.members?.deref()
    if (members === undefined) table.members = new WeakRef((members = { pks: undefined, source: undefined } as TableMembers))
    if (this.tracker.isTracking()) (members.source ??= this.tracker.source(members)).track()
    return (members.pks ??= cellsOf(this.state, key)?.map(cell => cell.pk))
  }

  result(endpointKey: string): unknown {
    this.#track(this.results, endpointKey)
    return readResult(this.state, endpointKey)
  }

  protected table(key: string): LiveTable {
    return obtain(this.tables, key, () => new LiveTable())
  }

  #track(sources: LiveIndex<Source>, name: string): void {
    if (this.tracker.isTracking()) obtain(sources, name, () => this.tracker.source()).track()
  }
}
