import { canonical, createNames } from '../base/keys.ts'
import { obtain } from '../base/obtain.ts'
import { queryKeyOf } from '../schema/dispatch.ts'
import type { Denormalize } from '../schema/types.ts'
import type { Store } from '../store/store.ts'
import { LiveIndex } from './liveIndex.ts'
import { LiveReader } from './liveReader.ts'
import { liveRoot, type LiveRoot } from './liveRoot.ts'
import type { Tracker } from './tracker.ts'

/**
 * The live objects of a store, for one reactive library: one stable object for each (class, pk), whose fields are read
 * through sources of their own. A commit triggers the fields that it changed, lists whose members it changed, and
 * nothing else. Nothing is kept that nobody holds or reads.
 */
export interface LiveViews {
  readonly reader: LiveReader
  /** What `schema` shows for these arguments; undefined when the store has no answer. */
  query<S>(schema: S, args?: readonly unknown[]): Denormalize<S> | undefined
  /** What `schema` shows of an endpoint's stored result. */
  result<S>(schema: S, endpointKey: string, args?: readonly unknown[]): Denormalize<S> | undefined
  /**
   * From here on the live objects of (key, from) show (key, to): a temporary pk has got its real one. Where (key, to) has
   * a live object already, each stays what it is.
   */
  move(key: string, from: string, to: string): void
  /** Stops following the store. What is held shows what it last showed. */
  dispose(): void
}

export function createLiveViews(store: Store, tracker: Tracker, report: (error: unknown) => void): LiveViews {
  const reader = new LiveReader(store.state, tracker, report)
  let roots = new WeakMap<object, LiveIndex<LiveRoot>>()
  /** Stands for schemas that are no objects. */
  const noSchema = {}
  const nameOf = createNames()
  const stop = store.subscribe(commit => batch(() => reader.tell(commit)))
  return {
    reader,
    query: <S>(schema: S, args: readonly unknown[] = []) =>
      read(schema, `?${canonical(args, nameOf)}`, args, asked => queryKeyOf(schema, asked, reader)) as Denormalize<S> | undefined,
    result: <S>(schema: S, endpointKey: string, args: readonly unknown[] = []) =>
      read(schema, `=${endpointKey}`, args, () => reader.result(endpointKey)) as Denormalize<S> | undefined,
    move: (key, from, to) => batch(() => reader.move(key, from, to)),
    dispose() {
      stop()
      roots = new WeakMap()
    },
  }

  function batch(work: () => void): void {
    try {
      tracker.batch(work)
    } catch (error) {
      // A reader threw; all others have run, and the commit stands.
      report(error)
    }
  }

  function read(schema: unknown, key: string, args: readonly unknown[], find: (args: readonly unknown[]) => unknown): unknown {
    const byKey = obtain(roots, Object(schema) === schema ? (schema as object) : noSchema, () => new LiveIndex<LiveRoot>())
    return obtain(byKey, key, () => liveRoot(reader, schema, args, find)).read()
  }
}
