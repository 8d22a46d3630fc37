import type { Controller } from '../controller/Controller.ts'
import type { FetchAction, Manager } from '../network/Manager.ts'
import type { Commit } from '../order/Commit.ts'
import { PendingCall, type Layer } from '../order/Layer.ts'
import type { CellChange } from '../store/patches.ts'
import type { State } from '../store/State.ts'
import type { Tracker } from '../view/tracker.ts'
import type { ViewNode } from '../view/ViewNode.ts'
import { CommitRing } from './CommitRing.ts'
import { createTravel, type Travel } from './createTravel.ts'
import { cellNamed, dependentsOf, keepersOf, pendingOf, reasonsOf, rowsIn } from './inspect.ts'
import type { ViewName } from './names.ts'
import { NameList, RecordedCommit } from './RecordedCommit.ts'
import { RecordedRequest } from './RecordedRequest.ts'
import type { Recording } from './Recording.ts'
import { exportSession } from './session.ts'

/** How many requests are recorded. */
const MOST_REQUESTS = 300

/** A manager that records what its controller does, once `resume` was called. */
export function createRecording(): Recording & Manager {
  let controller!: Controller
  let travel!: Travel
  let isOn = false
  let lastRequest = 0
  /** What the next commit is due to. */
  let startedAt: number | undefined
  let request: RecordedRequest | undefined
  let responseKey: string | undefined
  let taskTime: number | undefined
  const ring = new CommitRing()
  let last: Commit | undefined
  /** What changes with the next commit. */
  let changed: readonly CellChange[] = []
  /** The commit that readers hear of, or the last one, once there is something to add to it. */
  let noted: RecordedCommit | undefined
  let isStored = false
  let lastLayers: readonly Layer[] = []
  const requests: RecordedRequest[] = []
  const listeners = new Set<() => void>()
  const requestOf = new WeakMap<PendingCall, RecordedRequest>()

  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  /** Reading the clock took 0.2 us where a write took 15: while nobody looks, commits of one task share their time. */
  const startTask = (): number => {
    queueMicrotask(() => void (taskTime = startedAt = undefined))
    return now()
  }

  const note = (): RecordedCommit => (noted ??= (isStored && ring.find(ring.last)) || new RecordedCommit(ring.last + 1))

  /** Calls are known before they are sent, and those that were aborted are gone: the layers tell. */
  const endpointOf = (cause: string, layers: readonly Layer[]): string | undefined => {
    if (cause === 'setResponse') return responseKey
    const call = cause === 'call' ? layers.at(-1) : cause === 'fail' ? lastLayers.find(layer => !layers.includes(layer)) : undefined
    return call instanceof PendingCall ? call.endpoint.key(...call.args) : undefined
  }

  /** Readers are about to hear of these changes. */
  const begin = (next: State, changes: readonly CellChange[]): void => {
    // It came while a view was being built, and is shown only now.
    if (last?.after === next && controller.graph.state !== next && !travel.isAway) return
    noted = undefined
    isStored = false
    changed = changes
    if (listeners.size > 0) startedAt ??= now()
    if (controller.liveReaders.size > 0) hearWakes(onWake)
  }

  const onWake: Tracker['onWake'] = (cell, part) => (note().woken ??= new NameList()).add(() => ({ schema: undefined, cell, part }))

  /** A tracker serves all controllers of a page, so it tells this one only while this one commits. */
  const hearWakes = (listener: Tracker['onWake']): void => {
    for (const { tracker } of controller.liveReaders) tracker.onWake = listener
  }

  /** Views that are rebuilt when they are next read count for the last commit. */
  const noteView = (node: ViewNode, isWoken?: boolean): void => {
    if (travel.isAway || travel.isPainting) return
    const { schema, cell, root } = node
    const name = (): ViewName => ({ schema, cell, args: root?.args })
    if (!isWoken) (note().rebuilt ??= new NameList()).add(name)
    // A read that nobody watches has nobody to wake.
    else if (root!.isRead) (note().woken ??= new NameList()).add(name)
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
    return [...ids].some(each => ring.find(each)?.changes.some(({ cell }) => rows.has(cell as never)))
  }

  const recording: Recording & Manager = {
    get commits() {
      return ring.all
    },
    requests,
    get bytes() {
      return ring.bytes
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
      ring.clear()
      noted = undefined
      requests.splice(0, Infinity, ...requests.filter(({ status }) => status === 'pending'))
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    noteMutations(count) {
      note().mutations = (note().mutations ?? 0) + count
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
      taskTime ??= startTask()
      startedAt = now()
    },
    commit(commit) {
      if (!isOn) return
      const { layers } = controller.timeline
      taskTime ??= startTask()
      const time = startedAt === undefined ? taskTime : now()
      ring.add(commit, changed, noted, time, request ? request.key : endpointOf(commit.cause, layers))
      last = commit
      isStored = true
      if (startedAt !== undefined) note().duration = time - startedAt
      lastLayers = layers
      if (controller.liveReaders.size > 0) hearWakes(undefined)
      if (request) {
        note().request = request
        request.commits.push(ring.last)
      } else startedAt = undefined
      if (listeners.size > 0) tell()
    },
  }
  return recording
}

const now = (): number => performance.now()
