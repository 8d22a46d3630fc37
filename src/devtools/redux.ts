import type { Patch } from '../store/immer.ts'
import { patchesBetween } from '../store/patches.ts'
import { emptyState, type State } from '../store/State.ts'
import { tablesOf } from './inspect.ts'
import type { RecordedCommit } from './RecordedCommit.ts'
import type { Recording } from './Recording.ts'

/** What the browser extension offers to pages. */
interface Extension {
  connect(options: object): Connection
}

interface Connection {
  init(state: unknown): void
  send(action: object, state: unknown): void
  subscribe(listener: (message: { readonly type: string; readonly payload?: { readonly type?: string; readonly actionId?: number } }) => void): (() => void) | undefined
}

/** The extension copies the whole state for every commit. With more rows than this it gets numbers instead. */
const MOST_ROWS = 2000

/** Sends every commit to Redux DevTools where it is installed, and shows the state that is chosen there. */
export function connectRedux(recording: Recording, name: string): () => void {
  const extension = (globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: Extension }).__REDUX_DEVTOOLS_EXTENSION__
  if (!extension) return () => {}
  const { controller, travel } = recording
  const connection = extension.connect({ name, features: { jump: true, export: true } })
  /** The ids of the commits that the extension has, from its number 1 on. Number 0 is the state before them. */
  let sent: number[] = []
  let last = recording.commits.at(-1)
  const begin = (): void => {
    sent = []
    connection.init(documentOf(controller.snapshot()))
  }
  const stateOf = (actionId: number): State | undefined => {
    const find = (id: number | undefined): RecordedCommit | undefined => recording.commits.find(commit => commit.id === id)
    return actionId === 0 ? find(sent[0])?.before : find(sent[actionId - 1])?.after
  }
  begin()
  const stop = recording.subscribe(() => {
    for (const commit of recording.commits.slice(recording.commits.indexOf(last!) + 1)) {
      const { id, cause, origin, endpoint, patches, after } = commit
      sent.push(id)
      connection.send({ type: [cause, endpoint ?? origin].filter(Boolean).join(' '), patches }, documentOf(after))
      last = commit
    }
  })
  const leave = connection.subscribe(({ type, payload }) => {
    if (type === 'START') return begin()
    if (type !== 'DISPATCH') return
    if (payload?.type === 'JUMP_TO_STATE' || payload?.type === 'JUMP_TO_ACTION') {
      const state = stateOf(payload.actionId ?? -1)
      if (state && state !== controller.snapshot()) travel.to(state)
      else travel.back()
    } else if (payload?.type === 'COMMIT' || payload?.type === 'RESET') {
      travel.back()
      begin()
    }
  })
  return () => {
    stop()
    leave?.()
  }
}

/** The document that patches are about. */
function documentOf(state: State): unknown {
  const tables = tablesOf(state)
  if (tables.reduce((sum, { size }) => sum + size, 0) > MOST_ROWS) return Object.fromEntries(tables.map(({ table, size }) => [table.key || 'endpoints', `${size} rows`]))
  const root: { [name: string]: unknown } = { entities: {}, endpoints: {} }
  for (const { path, value } of patchesBetween(emptyState, state) as (Patch & { value?: unknown })[]) {
    let at = root
    for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as typeof root
    at[path.at(-1)!] = value
  }
  return root
}
