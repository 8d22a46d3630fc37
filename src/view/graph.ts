import { batch, signal, untracked, type Signal } from '@preact/signals-core'
import type { Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'
import { canonical } from '../base/keys.ts'
import { obtain } from '../base/obtain.ts'
import { INVALID } from '../schema/interface.ts'
import { forEachResult, forEachRow } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { Builder } from './builder.ts'
import { markDirty } from './mark.ts'
import { CLEAN, NEVER, RootNode, type ViewNode } from './node.ts'
import { release } from './release.ts'
import { tellReaders } from './sources.ts'
import type { Use } from './use.ts'

/** Roots by schema, then by what was asked for. */
type Roots = Map<unknown, Map<string, RootNode>>

/** So many roots are kept after a read that nobody watches, and so many milliseconds at the most. */
const KEPT = 64
const KEPT_FOR = 60_000

/** So many times in a row may effects answer a commit with another before it is taken for a circle. */
const CHAIN = 100

/**
 * The views of a store: the same object until something that it shows has changed. A commit goes up from the changed
 * rows and makes dirty what shows them; a read makes anew what is dirty below it. A signal exists only on what
 * somebody reads directly.
 */
export class ViewGraph {
  readonly #store: Store
  readonly #builder: Builder
  readonly #queries: Roots = new Map()
  readonly #results: Roots = new Map()
  /** Roots that somebody reads, or has read a moment ago. */
  readonly #roots = new Set<RootNode>()
  /** Roots that became dirty and whose readers have not been told, with what they showed. */
  #stale = new Map<RootNode, unknown>()
  /** Roots whose making ended in an error that their readers have seen. */
  readonly #failed = new Set<RootNode>()
  /** Roots that were read outside of effects. */
  readonly #kept = new Set<RootNode>()
  #cancel: (() => void) | undefined
  readonly #clock: Clock | undefined
  /** Nodes that somebody stopped reading. */
  readonly #idle = new Set<ViewNode>()
  #chain = 0
  readonly #report: (error: unknown) => void
  readonly #stop: () => void

  /** With a clock, what is read outside of effects is kept for a while; without one, to the end of the tick. */
  constructor(store: Store, report: (error: unknown) => void, clock?: Clock) {
    this.#store = store
    this.#clock = clock
    this.#builder = new Builder(store, node => this.#rest(node))
    this.#report = report
    const wake = (): void => this.#wake()
    this.#stop = store.subscribe(() => this.#builder.afterPass(wake))
  }

  /** The view of `schema` for these arguments; undefined when the store has no answer. Tracked inside effects. */
  query(schema: unknown, args: readonly unknown[]): unknown {
    const key = canonical(args)
    const { sources } = this.#builder
    return this.#read(this.#queries.get(schema)?.get(key) ?? keep(this.#queries, new RootNode(schema, args, key, () => sources.queryKey(schema, args))))
  }

  /** The view of an endpoint's stored result. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown {
    const { sources } = this.#builder
    return this.#read(
      this.#results.get(schema)?.get(endpointKey) ?? keep(this.#results, new RootNode(schema, args, endpointKey, () => sources.result(endpointKey))),
    )
  }

  /** Tells what is being read, or was a moment ago. */
  forEachUse(use: Use): void {
    for (const [schema, roots] of this.#queries) for (const { args } of roots.values()) use.query(schema, args)
    for (const [schema, roots] of this.#results) for (const { args, key } of roots.values()) use.result(schema, key, args)
  }

  /** Lets go of what was read and is not watched. Comes about by itself, a minute after the read. */
  sweep(): void {
    this.#cancel?.()
    this.#cancel = undefined
    for (const node of this.#kept) this.#letGo(node)
  }

  /** Lets go of everything, and tells nobody. */
  dispose(): void {
    this.#stop()
    this.sweep()
    for (const node of this.#roots) {
      node.watched = false
      node.signal = undefined
    }
    release([...this.#roots], root => this.#forget(root))
  }

  /** What a node shows, now. Inside an effect or computed, it runs again when that changes. */
  #read(node: RootNode): unknown {
    this.#catchUp()
    void (node.signal ??= this.#signalOf(node)).value
    if (!node.watched && !node.kept) this.#keep(node)
    if (node.phase === CLEAN) return shown(node.value)
    this.#roots.add(node)
    // What classes and queries read on the way is not what the reader asked for.
    return shown(untracked(() => this.#settle(node)))
  }

  #signalOf(node: RootNode): Signal<number> {
    return signal(0, {
      name: node.key,
      watched: () => void (node.watched = true),
      unwatched: () => {
        node.watched = false
        this.#rest(node)
      },
    })
  }

  #settle(node: RootNode): unknown {
    try {
      const value = this.#builder.settle(node)
      if (node.phase === CLEAN) this.#failed.delete(node)
      else if (!this.#builder.busy) this.#failed.add(node)
      return value
    } catch (error) {
      this.#failed.add(node)
      throw error
    }
  }

  /**
   * Moves on to the newest version and makes dirty what showed the rows that differ. Reads do this too: whoever has
   * written sees it, even before the graph was told; and no view is ever made from two versions.
   */
  #catchUp(): void {
    const { sources, busy } = this.#builder
    const { state } = this.#store
    if (sources.state === state || busy) return
    const { state: seen } = sources
    sources.state = state
    if (this.#roots.size === 0) return
    const note = (node: ViewNode): void => {
      if (node instanceof RootNode && !this.#stale.has(node)) this.#stale.set(node, node.value)
    }
    forEachRow(seen, state, (cell, from, to) => tellReaders(cell, from, to, node => markDirty(node, note)))
    forEachResult(seen, state, cell => tellReaders(cell, undefined, undefined, node => markDirty(node, note)))
  }

  /** Makes anew what is watched, and wakes whoever reads something else now. */
  #wake(): void {
    this.#catchUp()
    for (const node of this.#failed) if (!this.#stale.has(node)) this.#stale.set(node, NEVER)
    if (this.#stale.size === 0) return
    if (this.#chain > CHAIN) {
      // What is stale stays so until the next commit.
      this.#chain = 0
      this.#report(new PatchcordError('CYCLE', 'Effects write what they read, in a circle. Write outside of effects, or only what differs.'))
      return
    }
    const stale = this.#stale
    this.#stale = new Map()
    try {
      batch(() => untracked(() => stale.forEach((before, node) => this.#differs(node, before) && bump(node))))
    } catch (error) {
      // An effect threw; all others have run, and the commit stands.
      this.#report(error)
    }
    this.#chain = this.#store.state === this.#builder.sources.state ? 0 : this.#chain + 1
  }

  /** Whether the readers of a root have to look again. */
  #differs(node: RootNode, before: unknown): boolean {
    // Nobody waits for an unwatched one; but a computed that once read it must not go on believing what it saw.
    if (!node.watched) return true
    const failed = this.#failed.has(node)
    try {
      return !Object.is(shown(this.#settle(node)), shown(before)) || failed
    } catch {
      // The reader gets the error when it looks, and needs to see it once.
      return !failed
    }
  }

  /** Somebody who reads again after awaiting something should find the same objects; but not everything for ever. */
  #keep(node: RootNode): void {
    if (this.#clock === undefined) return this.#rest(node)
    node.kept = true
    this.#kept.add(node)
    if (this.#kept.size > KEPT) this.#letGo(this.#kept.values().next().value!)
    this.#cancel ??= this.#clock.after(KEPT_FOR, () => this.sweep())
  }

  #letGo(node: RootNode): void {
    node.kept = false
    this.#kept.delete(node)
    this.#rest(node)
  }

  /** Sweeps after the tick, so that a reader who leaves and comes back finds everything where it was. */
  #rest(node: ViewNode): void {
    const isFirst = this.#idle.size === 0
    this.#idle.add(node)
    if (!isFirst) return
    queueMicrotask(() => {
      const idle = [...this.#idle]
      this.#idle.clear()
      release(idle, root => this.#forget(root))
    })
  }

  #forget(node: RootNode): void {
    for (const roots of [this.#queries, this.#results]) {
      const byKey = roots.get(node.schema)
      if (byKey?.get(node.key) === node) byKey.delete(node.key)
      if (byKey?.size === 0) roots.delete(node.schema)
    }
    this.#roots.delete(node)
    this.#stale.delete(node)
    this.#failed.delete(node)
    if (node.signal !== undefined) bump(node)
  }
}

function keep(roots: Roots, node: RootNode): RootNode {
  obtain(roots, node.schema, () => new Map<string, RootNode>()).set(node.key, node)
  return node
}

/** By what is there, and not by reading it: a commit inside of an effect must not make that effect a reader. */
function bump({ signal }: RootNode): void {
  signal!.value = signal!.peek() + 1
}

/** INVALID never reaches a user. */
function shown(value: unknown): unknown {
  return value === INVALID || value === NEVER ? undefined : value
}
