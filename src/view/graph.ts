import { batch, signal, untracked, type Signal } from '@preact/signals-core'
import { tidyAfter, type Clock } from '../base/clock.ts'
import { PatchcordError } from '../base/errors.ts'
import { canonical, createNames } from '../base/keys.ts'
import { obtain } from '../base/obtain.ts'
import { queryKeyOf } from '../schema/dispatch.ts'
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
export interface ViewGraph {
  /** The view of `schema` for these arguments; undefined when the store has no answer. Tracked inside effects. */
  query(schema: unknown, args: readonly unknown[]): unknown
  /** The view of an endpoint's stored result. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): unknown
  /** Tells what is being read, or was a moment ago. */
  forEachUse(use: Use): void
  /** Lets go of what was read and is not watched. Comes about by itself, a minute after the read. */
  sweep(): void
  /** Lets go of everything, and tells nobody. */
  dispose(): void
}

/** With a clock, what is read outside of effects is kept for a while; without one, to the end of the tick. */
export function createViewGraph(store: Store, report: (error: unknown) => void, clock?: Clock): ViewGraph {
  const queries: Roots = new Map()
  const results: Roots = new Map()
  /** Roots that somebody reads, or has read a moment ago. */
  const roots = new Set<RootNode>()
  /** Roots that became dirty and whose readers have not been told, with what they showed. */
  let stale = new Map<RootNode, unknown>()
  /** Roots whose making ended in an error that their readers have seen. */
  const failed = new Set<RootNode>()
  /** Roots that were read outside of effects. */
  const kept = new Set<RootNode>()
  let cancel: (() => void) | undefined
  /** Nodes that somebody stopped reading. */
  const idle = new Set<ViewNode>()
  let chain = 0
  const builder = new Builder(store, rest)
  const { sources } = builder
  const nameOf = createNames()
  const stop = store.subscribe(() => builder.afterPass(wake))

  /** What a node shows, now. Inside an effect or computed, it runs again when that changes. */
  function read(node: RootNode): unknown {
    catchUp()
    void (node.signal ??= signalOf(node)).value
    if (!node.watched && !node.kept) linger(node)
    if (node.phase === CLEAN) return shown(node.value)
    roots.add(node)
    // What classes and queries read on the way is not what the reader asked for.
    return shown(untracked(() => settle(node)))
  }

  function signalOf(node: RootNode): Signal<number> {
    return signal(0, {
      name: node.key,
      watched: () => void (node.watched = true),
      unwatched: () => {
        node.watched = false
        rest(node)
      },
    })
  }

  function settle(node: RootNode): unknown {
    try {
      const value = builder.settle(node)
      if (node.phase === CLEAN) failed.delete(node)
      else if (!builder.busy) failed.add(node)
      return value
    } catch (error) {
      failed.add(node)
      throw error
    }
  }

  /**
   * Moves on to the newest version and makes dirty what showed the rows that differ. Reads do this too: whoever has
   * written sees it, even before the graph was told; and no view is ever made from two versions.
   */
  function catchUp(): void {
    const { state } = store
    const seen = sources.state
    if (seen === state || builder.busy) return
    sources.state = state
    if (roots.size === 0) return
    const note = (node: ViewNode): void => {
      if (node instanceof RootNode && !stale.has(node)) stale.set(node, node.value)
    }
    forEachRow(seen, state, (cell, from, to) => tellReaders(cell, from, to, node => markDirty(node, note)))
    forEachResult(seen, state, cell => tellReaders(cell, undefined, undefined, node => markDirty(node, note)))
  }

  /** Makes anew what is watched, and wakes whoever reads something else now. */
  function wake(): void {
    catchUp()
    for (const node of failed) if (!stale.has(node)) stale.set(node, NEVER)
    if (stale.size === 0) return
    if (chain > CHAIN) {
      // What is stale stays so until the next commit.
      chain = 0
      report(new PatchcordError('CYCLE', 'Effects write what they read, in a circle. Write outside of effects, or only what differs.'))
      return
    }
    const woken = stale
    stale = new Map()
    try {
      batch(() => untracked(() => woken.forEach((before, node) => differs(node, before) && bump(node))))
    } catch (error) {
      // An effect threw; all others have run, and the commit stands.
      report(error)
    }
    chain = store.state === sources.state ? 0 : chain + 1
  }

  /** Whether the readers of a root have to look again. */
  function differs(node: RootNode, before: unknown): boolean {
    // Nobody waits for an unwatched one; but a computed that once read it must not go on believing what it saw.
    if (!node.watched) return true
    const hadFailed = failed.has(node)
    try {
      return !Object.is(shown(settle(node)), shown(before)) || hadFailed
    } catch {
      // The reader gets the error when it looks, and needs to see it once.
      return !hadFailed
    }
  }

  /** Somebody who reads again after awaiting something should find the same objects; but not everything for ever. */
  function linger(node: RootNode): void {
    if (clock === undefined) return rest(node)
    node.kept = true
    kept.add(node)
    if (kept.size > KEPT) letGo(kept.values().next().value!)
    cancel ??= tidyAfter(KEPT_FOR, sweep, clock)
  }

  function letGo(node: RootNode): void {
    node.kept = false
    kept.delete(node)
    rest(node)
  }

  function sweep(): void {
    cancel?.()
    cancel = undefined
    kept.forEach(letGo)
  }

  /** Sweeps after the tick, so that a reader who leaves and comes back finds everything where it was. */
  function rest(node: ViewNode): void {
    const isFirst = idle.size === 0
    idle.add(node)
    if (!isFirst) return
    queueMicrotask(() => {
      const nodes = [...idle]
      idle.clear()
      release(nodes, forget)
    })
  }

  function forget(node: RootNode): void {
    for (const all of [queries, results]) {
      const byKey = all.get(node.schema)
      if (byKey?.get(node.key) === node) byKey.delete(node.key)
      if (byKey?.size === 0) all.delete(node.schema)
    }
    roots.delete(node)
    stale.delete(node)
    failed.delete(node)
    if (node.signal !== undefined) bump(node)
  }

  return {
    query(schema, args) {
      const key = canonical(args, nameOf)
      return read(queries.get(schema)?.get(key) ?? keep(queries, new RootNode(schema, args, key, asked => queryKeyOf(schema, asked, sources))))
    },
    result: (schema, key, args) => read(results.get(schema)?.get(key) ?? keep(results, new RootNode(schema, args, key, () => sources.result(key)))),
    forEachUse(use) {
      for (const [schema, byKey] of queries) for (const { args } of byKey.values()) use.query(schema, args)
      for (const [schema, byKey] of results) for (const { args, key } of byKey.values()) use.result(schema, key, args)
    },
    sweep,
    dispose() {
      stop()
      sweep()
      for (const node of roots) {
        node.watched = false
        node.signal = undefined
      }
      release([...roots], forget)
    },
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
