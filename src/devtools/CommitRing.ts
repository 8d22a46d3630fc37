import type { Commit } from '../order/Commit.ts'
import type { CellChange } from '../store/patches.ts'
import { RecordedCommit } from './RecordedCommit.ts'
import { weighChanges, weighTables } from './weigh.ts'

/** The limits of a recording. */
const MOST_COMMITS = 1000
const MOST_BYTES = 10_000_000
/** Commits with more rows than this are weighed at once. */
const FEW = 16
/** Of the others one in this many is, which took 0.5 us where a write took 12: the rest are taken to be like it until a task of its own weighs them. */
const SAMPLE = 64
/** A thousand commits of this weight are as much as the limit. If commits are lighter, estimates will do; if not, each is weighed at once. */
const HEAVY = 10_000

/**
 * The last commits, found by their ids. It holds the commits themselves, in arrays of a fixed length: making an object
 * for each commit took longer than the other work of recording. A `RecordedCommit` is made when somebody reads it, or
 * when there is something to add to it.
 */
export class CommitRing {
  bytes = 0
  /** The id of the last commit; 0 before the first. */
  last = 0
  readonly #commits = new Array<Commit | undefined>(MOST_COMMITS).fill(undefined)
  readonly #entries = new Array<RecordedCommit | undefined>(MOST_COMMITS).fill(undefined)
  readonly #endpoints = new Array<string | undefined>(MOST_COMMITS).fill(undefined)
  /** Those of commits whose weight is an estimate. */
  readonly #changes = new Array<readonly CellChange[] | undefined>(MOST_COMMITS).fill(undefined)
  readonly #times = new Float64Array(MOST_COMMITS)
  readonly #weights = new Float64Array(MOST_COMMITS)
  /** The ids of the oldest commit, and of the first whose weight is an estimate. */
  #first = 1
  #unweighed = 1
  /** What the last commit with few rows weighed. */
  #typical = HEAVY

  /** The oldest first. */
  get all(): readonly RecordedCommit[] {
    return Array.from({ length: this.last + 1 - this.#first }, (_, i) => this.find(this.#first + i)!)
  }

  /** Adds a commit. `entry` is its `RecordedCommit`, if one was made already, to note which readers woke. */
  add(commit: Commit, changes: readonly CellChange[], entry: RecordedCommit | undefined, time: number, endpoint: string | undefined): void {
    const isFew = changes.length <= FEW
    const isEstimate = isFew && this.#typical < HEAVY && this.last % SAMPLE > 0 && commit.before.directory === commit.after.directory
    const weight = isEstimate ? this.#typical : weighChanges(changes) + weighTables(commit.before, commit.after)
    if (isFew && !isEstimate) this.#typical = weight
    if (this.last - this.#first + 1 === MOST_COMMITS) this.#drop()
    const slot = ++this.last % MOST_COMMITS
    this.#commits[slot] = commit
    this.#endpoints[slot] = endpoint
    this.#changes[slot] = isEstimate ? changes : undefined
    this.#times[slot] = time
    this.#entries[slot] = entry && this.#fill(entry)
    this.bytes += this.#weights[slot] = weight
    while (this.bytes > MOST_BYTES && this.#first < this.last) this.#drop()
    if (this.#unweighed === this.last) setTimeout(() => this.#weigh())
  }

  /** The commit with this id, if it is still there. */
  find(id: number): RecordedCommit | undefined {
    return id >= this.#first && id <= this.last ? (this.#entries[id % MOST_COMMITS] ??= this.#fill(new RecordedCommit(id))) : undefined
  }

  clear(): void {
    while (this.#first <= this.last) this.#drop()
  }

  #fill(entry: RecordedCommit): RecordedCommit {
    const slot = entry.id % MOST_COMMITS
    const { cause, origin, before, after } = this.#commits[slot]!
    return Object.assign(entry, { change: this.#commits[slot]!, cause, origin, before, after, time: this.#times[slot]!, endpoint: this.#endpoints[slot] })
  }

  #drop(): void {
    const slot = this.#first++ % MOST_COMMITS
    this.#commits[slot] = this.#entries[slot] = this.#endpoints[slot] = this.#changes[slot] = undefined
    this.bytes -= this.#weights[slot]!
  }

  #weigh(): void {
    for (let id = Math.max(this.#unweighed, this.#first); id <= this.last; id++) {
      const slot = id % MOST_COMMITS
      const changes = this.#changes[slot]
      if (!changes) continue
      const weight = weighChanges(changes)
      this.bytes += weight - this.#weights[slot]!
      this.#weights[slot] = weight
      this.#changes[slot] = undefined
    }
    this.#unweighed = this.last + 1
    while (this.bytes > MOST_BYTES && this.#first < this.last) this.#drop()
  }
}
