import { canonical } from '../base/keys.ts'
import { queryKeyOf } from '../schema/dispatch.ts'
import type { EntityClass } from '../schema/interface.ts'
import type { Denormalize } from '../schema/types.ts'
import type { Store } from '../store/store.ts'
import { LiveIndex } from './liveIndex.ts'
import { LiveReader } from './liveReader.ts'
import { LiveRoot } from './liveRoot.ts'
import type { Tracker } from './tracker.ts'
import type { Use } from './use.ts'

/**
 * The live objects of a store, for one reactive library: one stable object for each (class, pk), whose fields are read
 * through sources of their own. A commit triggers the fields that it changed, lists whose members it changed, and
 * nothing else. Nothing is kept that nobody holds or reads.
 */
export class LiveViews {
  readonly #reader: LiveReader
  #roots = new WeakMap<object, LiveIndex<LiveRoot>>()
  /** Stands for schemas that are no objects. */
  readonly #noSchema = {}
  readonly #stop: () => void

  constructor(store: Store, tracker: Tracker, report: (error: unknown) => void) {
    this.#reader = new LiveReader(store.state, tracker, report)
    this.#stop = store.subscribe(commit => this.#batch(() => this.#reader.tell(commit)))
  }

  /** What `schema` shows for these arguments; undefined when the store has no answer. */
  query<S>(schema: S, args: readonly unknown[] = []): Denormalize<S> | undefined {
    const reader = this.#reader
    return this.#root(schema, `?${canonical(args)}`, args, asked => queryKeyOf(schema, asked, reader)) as Denormalize<S> | undefined
  }

  /** What `schema` shows of an endpoint's stored result. */
  result<S>(schema: S, endpointKey: string, args: readonly unknown[] = []): Denormalize<S> | undefined {
    const reader = this.#reader
    return this.#root(schema, `=${endpointKey}`, args, () => reader.result(endpointKey)) as Denormalize<S> | undefined
  }

  /** The live object of one row; undefined when there is nothing to show. */
  entity<E extends EntityClass>(entity: E, pk: string): InstanceType<E> | undefined {
    const shown = this.#reader.entity(entity, pk)
    return typeof shown === 'object' ? (shown as InstanceType<E>) : undefined
  }

  /**
   * From here on the live objects of (key, from) show (key, to): a temporary pk has got its real one. Where (key, to) has
   * a live object already, each stays what it is.
   */
  move(key: string, from: string, to: string): void {
    this.#batch(() => this.#reader.move(key, from, to))
  }

  /** Tells what somebody reads or holds. */
  forEachUse(use: Use): void {
    this.#reader.forEachUse(use)
  }

  /** Stops following the store. What is held shows what it last showed. */
  dispose(): void {
    this.#stop()
    this.#roots = new WeakMap()
  }

  #batch(work: () => void): void {
    try {
      this.#reader.tracker.batch(work)
    } catch (error) {
      // A reader threw; all others have run, and the commit stands.
      this.#reader.report(error)
    }
  }

  #root(schema: unknown, key: string, args: readonly unknown[], find: LiveRoot['find']): unknown {
    const by = (typeof schema === 'object' && schema !== null) || typeof schema === 'function' ? schema : this.#noSchema
    let roots = this.#roots.get(by)
    if (roots === undefined) this.#roots.set(by, (roots = new LiveIndex()))
    let root = roots.get(key)
    if (root === undefined) roots.set(key, (root = new LiveRoot(this.#reader, schema, args, find)))
    return root.read()
  }
}
