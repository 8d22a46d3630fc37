import type { Clock } from '../base/clock.ts'
import type { Controller } from '../controller/Controller.ts'
import { GarbageCollector } from '../controller/garbage.ts'
import { fullArgs } from '../endpoint/Endpoint.ts'
import { PendingCall, type DeferredWrite } from '../order/Layer.ts'
import type { Patch } from '../store/immer.ts'
import { patchesBetween, pathOf } from '../store/patches.ts'
import type { Cell, State, Table } from '../store/State.ts'
import { denormalize } from '../view/denormalize.ts'
import { Reach } from '../view/Reach.ts'
import type { ViewNode } from '../view/ViewNode.ts'
import { viewText } from './names.ts'
import type { RecordedCommit } from './RecordedCommit.ts'
import type { RecordedRequest } from './RecordedRequest.ts'

/** The tables of a state, results included, with the number of their rows. */
export function tablesOf(state: State): { readonly table: Table; readonly size: number }[] {
  const { directory } = state
  if (directory === undefined) return []
  return [...directory.tables, directory.results].map(table => ({ table, size: state.rows(table).size })).filter(({ size }) => size > 0)
}

/** The cells of a table that have a row, in order of arrival. */
export function cellsOf(state: State, table: Table): Cell[] {
  return table.ordinal < 0 ? table.bySlot.filter(cell => state.read(cell) !== undefined) : (state.all(table.key) ?? [])
}

/** The cell that has this name, or whose signal has it: `Todo 5`, `Todo 5.title`, `GET /todos`. */
export function cellNamed(state: State, name: string): Cell | undefined {
  const { directory } = state
  for (const table of directory?.tables ?? []) {
    const pk = name.startsWith(`${table.key} `) ? name.slice(table.key.length + 1) : ''
    const cell = table.find(pk) ?? table.find(pk.slice(0, Math.max(0, pk.lastIndexOf('.'), pk.lastIndexOf(' ('))))
    if (cell) return cell
  }
  return directory?.results.find(name)
}

/** A row as its class shows it; undefined where no class is known. */
export function viewOf(controller: Controller, state: State, { table, pk }: Cell): unknown {
  const { endpoint, args } = controller.freshness.get(pk)
  if (table.ordinal < 0) return endpoint && denormalize(endpoint.schema, state.read(table.cell(pk)), state, fullArgs(endpoint, args))
  return table.owner && denormalize(table.owner, pk, state)
}

/** The rows that a result shows, itself included. */
export function rowsIn(controller: Controller, key: string): Set<Cell> {
  const { visible, directory } = controller.timeline
  const { endpoint, args } = controller.freshness.get(key)
  const cell = directory.results.cell(key)
  const rows = new Set([cell])
  if (endpoint) new Reach(visible, each => void rows.add(each)).follow(endpoint.schema, () => visible.read(cell), fullArgs(endpoint, args))
  return rows
}

/** The keys of the results that show a row. */
export function resultsShowing(controller: Controller, cell: Cell): string[] {
  return [...controller.freshness.keys()].filter(key => rowsIn(controller, key).has(cell))
}

/** Every view that shows a row, itself or through others, and whether somebody watches it. */
export function dependentsOf(cell: Cell | undefined): [name: string, isWatched: boolean][] {
  const nodes = new Set<ViewNode>()
  for (let node = (cell?.node ?? null) as ViewNode | null; node !== null; node = node.next) nodes.add(node)
  for (const node of nodes) node.parents?.forEach(parent => nodes.add(parent))
  return [...nodes].filter(({ schema, root }) => schema || root).map(({ schema, cell: of, root }) => [viewText({ schema, cell: of, args: root?.args }), root?.isRead === true])
}

/** Who keeps a row from being collected, a sentence each. */
export function keepersOf(controller: Controller, cell: Cell | undefined): string[] {
  if (!cell) return []
  const { timeline, freshness, liveReaders, clock } = controller
  const keepers = dependentsOf(cell).flatMap(([name, isWatched]) => (isWatched ? `${name} is being read` : []))
  if ([...liveReaders].some(({ views }) => views.classes(cell))) keepers.push('a live object of it is in use')
  for (const layer of timeline.layers) if (layer.targets.has(cell)) keepers.push(layer instanceof PendingCall ? `${layer.endpoint.key(...layer.args)} is pending` : 'a local write waits')
  for (const key of resultsShowing(controller, cell)) {
    const left = freshness.get(key).expiresAt - clock.now()
    if (left > 0 && freshness.get(key).endpoint) keepers.push(`${key} is fresh for ${Math.ceil(left / 1000)} s`)
  }
  return keepers
}

/** Removes at once what nobody needs and what has expired; false while a request is in flight, when nothing can be removed. */
export function collect(controller: Controller): boolean {
  const { timeline, graph, freshness, liveReaders, report } = controller
  if (!timeline.isIdle) return false
  let hasRun = false
  const clock = Object.create(controller.clock) as Clock
  // One pass, now. The one that follows it is the business of the controller's own collector.
  clock.after = (_ms, work) => {
    if (!hasRun) {
      hasRun = true
      work()
    }
    return () => {}
  }
  new GarbageCollector({ timeline, graph, freshness, liveReaders, clock, readKeys: () => controller.readKeys(), batch: work => controller.batch(work), report }, { after: 0 }).schedule()
  return true
}

/** Writes one field of a row, locally. */
export function editField(controller: Controller, cell: Cell, field: string, value: unknown): void {
  controller.applyPatches([{ op: 'replace', path: [...pathOf(cell), field], value }], { origin: 'devtools' })
}

/**
 * A call that has not settled, or a write that waits for one.
 *
 * @example
 * const { recording } = devtools(controller, { panel: false })
 * const done = controller.fetch(TodoResource.partialUpdate, { id: 1 }, { done: true })
 * const pending: readonly PendingChange[] = recording.pending
 * console.log(pending[0]?.label) // PATCH /todos/1
 * await done
 */
export interface PendingChange {
  readonly label: string
  /** @internal */ readonly call: PendingCall | undefined
  readonly request: RecordedRequest | undefined
  /** What it changes over everything before it. */
  readonly patches: readonly Patch[]
}

/** Everything that is shown over the confirmed state, the oldest first. */
export function pendingOf(controller: Controller, requestOf: (call: PendingCall) => RecordedRequest | undefined): PendingChange[] {
  const { base, layers } = controller.timeline
  let beneath = base
  return layers.map(layer => {
    const above = layer.apply(beneath)
    const patches = patchesBetween(beneath, above)
    beneath = above
    if (layer instanceof PendingCall) return { label: layer.endpoint.key(...layer.args), call: layer, request: requestOf(layer), patches }
    return { label: (layer as DeferredWrite).observer ? 'local write' : 'answer', call: undefined, request: undefined, patches }
  })
}

/**
 * Why a row or a view changed.
 *
 * @example
 * const { recording } = devtools(controller, { panel: false })
 * controller.set(Todo, { id: 7, title: 'sow' })
 * const reasons: readonly Reason[] = recording.reasons('Todo 7')
 * console.log(reasons[0]?.commit.cause, reasons[0]?.text) // set arrived
 */
export interface Reason {
  readonly commit: RecordedCommit
  readonly text: string
}

const MOST_REASONS = 10

/** The last ten commits that changed a row, or rebuilt or woke a view. */
export function reasonsOf(commits: readonly RecordedCommit[], state: State, name: string): Reason[] {
  const cell = cellNamed(state, name)
  const reasons = cell ? lastOf(commits, commit => rowReason(commit, cell)) : []
  return reasons.length > 0 ? reasons : lastOf(commits, commit => (commit.rebuiltViews.includes(name) || commit.wokenSignals.includes(name) ? [...commit.changedRows.slice(0, 3), ...(commit.changed > 3 ? ['…'] : [])].join(', ') : undefined))
}

function rowReason({ before, after }: RecordedCommit, { table, pk }: Cell): string | undefined {
  const [old, row] = [before, after].map(state => {
    const cell = table.ordinal < 0 ? state.directory?.results.find(pk) : state.cell(table.key, pk)
    return cell && (state.read(cell) as FieldValues | undefined)
  })
  if (old === row) return undefined
  if (!old || !row) return old ? 'went' : 'arrived'
  return Array.isArray(row) ? 'members' : Object.keys({ ...old, ...row }).filter(field => old[field] !== row[field]).join(', ')
}

type FieldValues = { readonly [name: string]: unknown }

function lastOf(commits: readonly RecordedCommit[], reasonOf: (commit: RecordedCommit) => string | undefined): Reason[] {
  const reasons: Reason[] = []
  for (let i = commits.length - 1; i >= 0 && reasons.length < MOST_REASONS; i--) {
    const text = reasonOf(commits[i]!)
    if (text !== undefined) reasons.push({ commit: commits[i]!, text })
  }
  return reasons
}
