import { PatchcordError } from '../base/errors.ts'
import { Commit } from '../order/Commit.ts'
import { applyPatches } from '../store/applyPatches.ts'
import type { Patch } from '../store/immer.ts'
import { patchesBetween, stampsBetween, type StampGroup } from '../store/patches.ts'
import { emptyState, type State } from '../store/State.ts'
import { plainValue } from './names.ts'
import { RecordedCommit } from './RecordedCommit.ts'
import { RecordedRequest } from './RecordedRequest.ts'

/** A commit in a session file: its fields, and what its getters give. */
type SavedCommit = Pick<RecordedCommit, 'id' | 'time' | 'endpoint' | 'duration' | 'mutations' | 'rebuilt' | 'woken' | 'cause' | 'origin' | 'patches'> & {
  readonly by: number | undefined
  readonly stamps: readonly StampGroup[]
}

/** A recording as a file. */
interface SavedSession {
  readonly patchcord: 'session'
  /** Times count from here, in wall time. */
  readonly origin: number
  /** The state before the first commit. */
  readonly start: { readonly patches: readonly Patch[]; readonly stamps: readonly StampGroup[] }
  readonly commits: readonly SavedCommit[]
  readonly requests: readonly RecordedRequest[]
}

/** What the panel shows: a recording, or a session that was opened from a file. */
export interface Session {
  readonly commits: readonly RecordedCommit[]
  readonly requests: readonly RecordedRequest[]
}

/** A session as the text of a file. */
export function exportSession({ commits, requests }: Session): string {
  const first = commits[0]?.before ?? emptyState
  const saved: SavedSession = {
    patchcord: 'session',
    origin: performance.timeOrigin,
    start: { patches: patchesBetween(emptyState, first), stamps: stampsBetween(emptyState, first) },
    commits: commits.map(commit => {
      const { patches, before, after } = commit
      return { ...commit, change: undefined, request: undefined, before: undefined, after: undefined, by: commit.request?.id, patches, stamps: stampsBetween(before, after) }
    }),
    requests,
  }
  return JSON.stringify(saved, plainValue)
}

/** The session in the text of a file. */
export function importSession(text: string): Session {
  try {
    const saved = JSON.parse(text) as SavedSession
    if (saved.patchcord !== 'session') throw new TypeError('Devtools did not write this file.')
    const shift = saved.origin - performance.timeOrigin
    const requests = saved.requests.map(each => Object.assign(new RecordedRequest(each.id, each.key, each.isCall, each.startedAt), each))
    let state: State = applyPatches(emptyState, saved.start.patches, saved.start.stamps.map(readStamp))
    const commits = saved.commits.map(({ patches, stamps, by, ...facts }) => {
      const before = state
      const after = (state = applyPatches(before, patches, stamps.map(readStamp)))
      const request = requests.find(({ id }) => id === by)
      return Object.assign(new RecordedCommit(facts.id), facts, { before, after, request, time: facts.time + shift, change: new Commit(before, after, facts) })
    })
    return { commits, requests }
  } catch (cause) {
    throw new PatchcordError('SESSION', `The session cannot be opened. ${String(cause)}`, { cause })
  }
}

/** JSON has no Infinity: `null` stands for it. */
function readStamp({ stamp, ...group }: StampGroup): StampGroup {
  return { ...group, stamp: stamp && { ...stamp, fetchedAt: stamp.fetchedAt ?? Infinity, expiresAt: stamp.expiresAt ?? Infinity } }
}
