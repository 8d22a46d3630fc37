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
import { RecordedCommit } from './RecordedCommit.ts'
import { RecordedRequest } from './RecordedRequest.ts'
import type { ViewName } from './names.ts'
import type { Recording } from './Recording.ts'
import { exportSession } from './session.ts'
import { weighChanges, weighTables } from './weigh.ts'

/** The limits of a recording. */
const MOST_COMMITS = 1000
const MOST_BYTES = 10_000_000
const MOST_REQUESTS = 300
/** How many commits go at once when there are too many. */
const DROPPED = 50

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
  let endpoint: string | undefined
  let request: RecordedRequest | undefined
  let time: number | undefined
  let isForgetting = false
  /** The commit that readers hear of, or the last one. */
  let current = new RecordedCommit(0, 0)
  let lastLayers: readonly Layer[] = []
  const commits: RecordedCommit[] = []
  const requests: RecordedRequest[] = []
  const listeners = new Set<() => void>()
  const requestOf = new WeakMap<PendingCall, RecordedRequest>()

  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  const forgetSoon = (): void => {
    if (isForgetting) return
    isForgetting = true
    queueMicrotask(() => {
      isForgetting = false
      time = startedAt = endpoint = undefined
    })
  }

  /** Reading the clock took 0.2 us where a write took 15: while nobody looks, commits of one task share their time. */
  const timeOfCommit = (): number => {
    if (listeners.size > 0 || startedAt !== undefined) return now()
    forgetSoon()
    return (time ??= now())
  }

  const keep = (entry: RecordedCommit): void => {
    commits.push(entry)
    bytes += entry.bytes
    if (commits.length <= MOST_COMMITS && bytes <= MOST_BYTES) return
    // Some more than necessary: to move the others for every commit would take longer than the rest of recording.
    const least = commits.length > MOST_COMMITS ? DROPPED : 0
    let count = 0
    for (; count < least || (bytes > MOST_BYTES && count < commits.length - 1); count++) bytes -= commits[count]!.bytes
    commits.splice(0, count)
  }

  /** Calls are known before they are sent, and those that were aborted are gone: the layers tell. */
  const endpointOf = (cause: string, layers: readonly Layer[]): string | undefined => {
    const call = cause === 'call' ? layers.at(-1) : cause === 'fail' ? lastLayers.find(layer => !layers.includes(layer)) : undefined
    return call instanceof PendingCall ? call.endpoint.key(...call.args) : undefined
  }

  /** Readers are about to hear of these changes. */
  const begin = (next: State, changes: readonly CellChange[]): void => {
    // It came while a view was being built, and is shown only now.
    if (current.change?.after === next && controller.graph.state !== next && !travel.isAway) return
    current = new RecordedCommit(changes.length, weighChanges(changes))
    if (listeners.size > 0) startedAt ??= now()
    hearWakes(onWake)
  }

  const onWake: Tracker['onWake'] = (cell, part) => current.noteWoken(() => ({ schema: undefined, cell, part }))

  /** A tracker serves all controllers of a page, so it tells this one only while this one commits. */
  const hearWakes = (listener: Tracker['onWake']): void => {
    if (controller.liveReaders.size > 0) for (const { tracker } of controller.liveReaders) tracker.onWake = listener
  }

  /** Views that are rebuilt when they are next read count for the last commit. */
  const noteView = (node: ViewNode, isWoken?: boolean): void => {
    if (travel.isAway || travel.isPainting) return
    const { schema, cell, root } = node
    const name = (): ViewName => ({ schema, cell, args: root?.args })
    if (!isWoken) current.noteRebuilt(name)
    // A read that nobody watches has nobody to wake.
    else if (root!.isWatched || root!.listeners.size > 0) current.noteWoken(name)
  }

  const follow = (action: FetchAction): void => {
    const { endpoint: sent, key } = action
    const made = new RecordedRequest(++lastRequest, key, sent.sideEffect === true, now())
    requests.push(made)
    if (requests.length > MOST_REQUESTS) requests.splice(Math.max(0, requests.findIndex(({ status }) => status !== 'pending')), 1)
    made.follow(action, now, store => {
      const outer = [startedAt, endpoint, request] as const
      ;[startedAt, endpoint, request] = [now(), key, made]
      try {
        store()
      } finally {
        ;[startedAt, endpoint, request] = outer
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
    return commits.some(commit => ids.has(commit.id) && commit.changes.some(({ cell }) => rows.has(cell as never)))
  }

  const recording: Recording & Manager = {
    commits,
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
    reasons: name => reasonsOf(commits, controller.timeline.visible, name),
    dependents: name => dependentsOf(cellNamed(controller.timeline.visible, name)).map(([text]) => text),
    keepers: name => keepersOf(controller, cellNamed(controller.timeline.visible, name)),
    export: () => exportSession(recording),
    clear() {
      commits.length = bytes = 0
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
      endpoint = action.type === 'setResponse' ? action.key : undefined
      if (listeners.size > 0) startedAt = now()
      // A write that changes nothing makes no commit: the next one is not due to it.
      forgetSoon()
    },
    commit(commit) {
      if (!isOn) return
      const { layers } = controller.timeline
      current.change = commit
      current.bytes += weighTables(commit.before, commit.after)
      current.id = ++lastCommit
      current.time = timeOfCommit()
      current.endpoint = endpoint ?? endpointOf(commit.cause, layers)
      if (startedAt !== undefined) current.duration = current.time - startedAt
      current.request = request
      lastLayers = layers
      hearWakes(undefined)
      if (request) request.commits.push(current.id)
      else startedAt = endpoint = undefined
      keep(current)
      tell()
    },
  }
  return recording
}

const now = (): number => performance.now()
