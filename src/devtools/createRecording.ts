import type { Controller } from '../controller/Controller.ts'
import type { FetchAction, Manager } from '../network/Manager.ts'
import type { Layer } from '../order/Layer.ts'
import { PendingCall } from '../order/PendingCall.ts'
import type { CellChange } from '../store/changes.ts'
import type { State } from '../store/State.ts'
import type { Tracker } from '../view/tracker.ts'
import type { ViewNode } from '../view/ViewNode.ts'
import { createTravel, type Travel } from './createTravel.ts'
import { cellNamed, dependentsOf, keepersOf, pendingOf, reasonsOf, rowsIn } from './inspect.ts'
import { NameList, RecordedCommit } from './RecordedCommit.ts'
import { RecordedRequest } from './RecordedRequest.ts'
import type { ViewName } from './names.ts'
import type { Recording } from './Recording.ts'
import { exportSession } from './session.ts'
import { weighChanges, weighTables } from './weigh.ts'

/** The limits of a recording. */
const MOST_COMMITS = 1000
const MOST_BYTES = 10_000_000
const MOST_REQUESTS = 300
/** The limits of a block. */
const BLOCK_COMMITS = 50
const BLOCK_BYTES = 500_000
/** Of commits with at most this many rows one in this many is weighed at once, which took 0.5 us where a write took 12. The others are taken to be like it until their block is weighed. */
const FEW = 16
/** A thousand commits below this are within the limit; above it every commit is weighed at once. */
const HEAVY = 10_000

/** Commits that are dropped at once: to move all the others for each one that goes took longer than recording it. */
interface Block {
  readonly commits: RecordedCommit[]
  bytes: number
  isWeighed: boolean
}

/** A manager that records what its controller does, once `resume` was called. */
export function createRecording(): Recording & Manager {
  let controller!: Controller
  let travel!: Travel
  let bytes = 0
  let isOn = false
  let lastCommit = 0
  let lastRequest = 0
  /** What the next commit is due to. */
  let startedAt: number | undefined
  let request: RecordedRequest | undefined
  let responseKey: string | undefined
  let task: { readonly time: number } | undefined
  /** What the last commit with few rows weighed. */
  let typical = HEAVY
  let count = 0
  let blocks: Block[] = []
  let all: RecordedCommit[] | undefined
  /** The commit that readers hear of, or the last one. */
  let current = new RecordedCommit(0, 0)
  let lastLayers: readonly Layer[] = []
  const requests: RecordedRequest[] = []
  const listeners = new Set<() => void>()
  const requestOf = new WeakMap<PendingCall, RecordedRequest>()

  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  /** Reading the clock took 0.2 us where a write took 15: while nobody looks, commits of one task share their time. */
  const startTask = (): { readonly time: number } => {
    queueMicrotask(() => {
      task = startedAt = undefined
    })
    return { time: now() }
  }

  const trim = (): void => {
    while (blocks.length > 1 && (bytes > MOST_BYTES || count > MOST_COMMITS)) {
      const { commits, bytes: dropped } = blocks.shift()!
      count -= commits.length
      bytes -= dropped
      all = undefined
    }
  }

  /** Weighs every commit of the blocks that are full. */
  const weighBlocks = (): void => {
    for (const block of blocks.slice(0, -1)) {
      if (block.isWeighed) continue
      block.isWeighed = true
      for (const entry of block.commits) {
        const { changed, before, after } = entry
        if (changed > FEW || before.directory !== after.directory) continue
        const more = weighChanges(entry.changes) - entry.bytes
        block.bytes += more
        bytes += more
      }
    }
    trim()
  }

  const keep = (entry: RecordedCommit): void => {
    let block = blocks.at(-1)
    if (!block || block.commits.length === BLOCK_COMMITS || block.bytes > BLOCK_BYTES) {
      blocks.push((block = { commits: [], bytes: 0, isWeighed: false }))
      setTimeout(weighBlocks)
    }
    block.commits.push(entry)
    block.bytes += entry.bytes
    bytes += entry.bytes
    count++
    all = undefined
    if (bytes > MOST_BYTES || count > MOST_COMMITS) trim()
  }

  /** Calls are known before they are sent, and those that were aborted are gone: the layers tell. */
  const endpointOf = (cause: string, layers: readonly Layer[]): string | undefined => {
    if (cause === 'setResponse') return responseKey
    const call = cause === 'call' ? layers.at(-1) : cause === 'fail' ? lastLayers.find(layer => !layers.includes(layer)) : undefined
    return call instanceof PendingCall ? call.endpoint.key(...call.args) : undefined
  }

  /** Readers are about to hear of these changes. */
  const begin = (next: State, changes: readonly CellChange[]): void => {
    // It came while a view was being built, and is shown only now.
    if (current.change?.after === next && controller.graph.state !== next && !travel.isAway) return
    const { length } = changes
    if (length <= FEW && (typical >= HEAVY || lastCommit % FEW === 0)) typical = weighChanges(changes)
    current = new RecordedCommit(length, length > FEW ? weighChanges(changes) : typical)
    if (listeners.size > 0) startedAt ??= now()
    if (controller.liveReaders.size > 0) hearWakes(onWake)
  }

  const onWake: Tracker['onWake'] = (cell, part) => (current.woken ??= new NameList()).add(() => ({ schema: undefined, cell, part }))

  /** A tracker serves all controllers of a page, so it tells this one only while this one commits. */
  const hearWakes = (listener: Tracker['onWake']): void => {
    for (const { tracker } of controller.liveReaders) tracker.onWake = listener
  }

  /** Views that are rebuilt when they are next read count for the last commit. */
  const noteView = (node: ViewNode, isWoken?: boolean): void => {
    if (travel.isAway || travel.isPainting) return
    const { schema, cell, root } = node
    const name = (): ViewName => ({ schema, cell, args: root?.args })
    if (!isWoken) (current.rebuilt ??= new NameList()).add(name)
    // A read that nobody watches has nobody to wake.
    else if (root!.isWatched || root!.listeners.size > 0) (current.woken ??= new NameList()).add(name)
  }

  const follow = (action: FetchAction): void => {
    const { endpoint: sent, key } = action
    const made = new RecordedRequest(++lastRequest, key, sent.sideEffect === true, now())
    requests.push(made)
    if (requests.length > MOST_REQUESTS) requests.splice(Math.max(0, requests.findIndex(({ status }) => status !== 'pending')), 1)
    made.follow(action, now, store => {
      const outer = [startedAt, request] as const
      ;[startedAt, request] = [now(), made]
      try {
        store()
      } finally {
        ;[startedAt, request] = outer
        made.landedAt ??= now()
        made.isLate = !made.isCall && isLate(made)
      }
    })
    action.outcome.then(tell, tell)
    const call = controller.timeline.layers.find(layer => layer instanceof PendingCall && layer.endpoint === sent && !requestOf.has(layer))
    if (call) requestOf.set(call as PendingCall, made)
    tell()
  }

  /** Whether a read shows a row that was changed by a request which started after it. */
  const isLate = ({ id, key }: RecordedRequest): boolean => {
    const ids = new Set(requests.flatMap(each => (each.id > id && each.landedAt !== undefined ? each.commits : [])))
    const rows = ids.size > 0 ? rowsIn(controller, key) : ids
    return recording.commits.some(commit => ids.has(commit.id) && commit.changes.some(({ cell }) => rows.has(cell as never)))
  }

  const recording: Recording & Manager = {
    get commits() {
      return (all ??= blocks.flatMap(({ commits }) => commits))
    },
    requests,
    get bytes() {
      return bytes
    },
    get controller() {
      return controller
    },
    get travel() {
      return travel
    },
    get pending() {
      return pendingOf(controller, recording.requestOf)
    },
    requestOf: call => requestOf.get(call),
    reasons: name => reasonsOf(recording.commits, controller.timeline.visible, name),
    dependents: name => dependentsOf(cellNamed(controller.timeline.visible, name)).map(([text]) => text),
    keepers: name => keepersOf(controller, cellNamed(controller.timeline.visible, name)),
    export: () => exportSession(recording),
    clear() {
      blocks = []
      all = undefined
      bytes = count = 0
      requests.splice(0, Infinity, ...requests.filter(({ status }) => status === 'pending'))
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    noteMutations(count) {
      current.mutations = (current.mutations ?? 0) + count
      tell()
    },
    resume() {
      if (isOn) return
      isOn = true
      lastLayers = controller.timeline.layers
      controller.graph.observer = noteView
      travel.attach(begin)
    },
    stop() {
      isOn = false
      travel.detach()
      controller.graph.observer = undefined
    },
    start(host) {
      controller = host as Controller
      travel = createTravel(controller)
    },
    action(action) {
      if (!isOn) return
      if (action.type === 'fetch') return follow(action)
      if (action.type === 'setResponse') responseKey = action.key
      if (listeners.size === 0) return
      // A write that changes nothing makes no commit: the next one did not start with it.
      task ??= startTask()
      startedAt = now()
    },
    commit(commit) {
      if (!isOn) return
      const { cause, before, after } = commit
      const { layers } = controller.timeline
      task ??= startTask()
      current.id = ++lastCommit
      current.change = commit
      current.task = startedAt === undefined ? task : { time: now() }
      current.endpoint = request ? request.key : endpointOf(cause, layers)
      if (startedAt !== undefined) current.duration = current.time - startedAt
      if (before.directory !== after.directory) current.bytes += weighTables(before, after)
      if (lastLayers !== layers) lastLayers = layers
      if (controller.liveReaders.size > 0) hearWakes(undefined)
      if (request) {
        current.request = request
        request.commits.push(lastCommit)
      } else startedAt = undefined
      keep(current)
      if (listeners.size > 0) tell()
    },
  }
  return recording
}

const now = (): number => performance.now()
