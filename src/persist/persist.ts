import { systemLocks, trackChanges, type Change, type Locks, type RecordStorage } from '../changes/index.ts'
import type { Controller } from '../index.ts'
import { idbStorage } from './idbStorage.ts'

/**
 * What is stored or left out: an entity class, with the lists of it, or an endpoint, with its results.
 *
 * @example
 * const secret: Persistable[] = [User, UserResource.get]
 */
export type Persistable = { readonly key: string } | { testKey(key: string): boolean }

/**
 * Options of `persist`.
 *
 * @example
 * const options: PersistOptions = { version: '2', exclude: [User], maxAge: 7 * 24 * 3600_000 }
 */
export interface PersistOptions {
  /** Data that was stored with another version is dropped. Change it with the shape of your entities. */
  readonly version: string
  /** Stores the data; a database of IndexedDB unless given. */
  readonly storage?: RecordStorage
  /** The name of that database, and of the lock by which one tab at a time writes; `patchcord` unless given. */
  readonly name?: string
  /** Only these are stored. */
  readonly include?: readonly Persistable[]
  /** These are not stored. */
  readonly exclude?: readonly Persistable[]
  /** Milliseconds after the last write when stored data is dropped; never unless given. */
  readonly maxAge?: number
  /** `navigator.locks` unless given. */
  readonly locks?: Locks
}

/**
 * Data that is stored on disk.
 *
 * @example
 * const waitFor = async ({ restored }: Persisted): Promise<void> => console.log(await restored ? 'from disk' : 'empty')
 */
export interface Persisted {
  /** Resolves when stored data is in the controller: true when there was some. Never rejects. */
  readonly restored: Promise<boolean>
  /** Stores at once what has changed. Resolves when that is done; an error is reported. */
  readonly flush: () => Promise<void>
  /** Removes everything that is stored. What changes later is stored again. */
  readonly clear: () => Promise<void>
  /** Stores what is left, and ends. */
  readonly dispose: () => Promise<void>
}

/** Milliseconds in which changes are collected for one write. */
const DELAY = 100
/** Milliseconds before a failed write is tried again. */
const RETRY = 10_000
/** Milliseconds after which an app goes on without what is stored. */
const PATIENCE = 3000
/** The log is compacted when half as many patches as the data has, and this many, were added. */
const LOG_LIMIT = 1000

/** One write. The first entry of a log contains everything, or begins after the storage was cleared. */
interface StoredEntry {
  readonly patchcord: 1
  readonly version: string
  readonly n: number
  readonly date: number
  readonly isFirst: boolean
  readonly change: Change
}

/**
 * Keeps confirmed data on disk. Call it before anything is fetched, and await `restored` before you render: stored data
 * is shown at once, and fetched again by the usual rules.
 *
 * @example
 * async function start(): Promise<void> {
 *   await persist(controller, { version: '1' }).restored
 * }
 */
export function persist(controller: Controller, options: PersistOptions): Persisted {
  const { version, name = 'patchcord', include, exclude = [], maxAge = Infinity, locks = systemLocks() } = options
  const { clock, platform, report } = controller
  const storage = options.storage ?? idbStorage(name)
  /** The keys of the entries in the storage. */
  let keys: string[] = []
  /** How many more patches may be added before the log is compacted. */
  let room = 0
  let n = 0
  let isWriter = false
  let isRestored = false
  let isDisposed = false
  let isClearing = false
  /** The storage does not have everything: the next write starts a new log. */
  let isBehind = false
  let hasReported = false
  let writing: Promise<void> | undefined
  let cancel: (() => void) | undefined
  let release = (): void => {}

  const reportOnce = (error: unknown): void => {
    if (!hasReported) report(error)
    hasReported = true
  }
  const schedule = (delay: number = DELAY): void => {
    if (!isDisposed) cancel ??= clock.after(delay, () => void flush())
  }
  const tracker = trackChanges(controller, { origin: 'persist', onChange: () => schedule() })

  const isStored = ([root, name]: readonly unknown[]): boolean => {
    const matches = (each: Persistable): boolean => ('testKey' in each ? root === 'endpoints' && each.testKey(name as string) : root === 'entities' && tablesIn(name as string).includes(each.key))
    return !exclude.some(matches) && (include?.some(matches) ?? true)
  }
  const filtered = (change: Change): Change => ({
    ...change,
    patches: change.patches.filter(({ path }) => isStored(path)),
    stamps: change.stamps.filter(({ key }) => isStored(['entities', key])),
    freshness: change.freshness.filter(({ key }) => isStored(['endpoints', key])),
  })

  const count = ({ patches, stamps }: Change, isFirst: boolean): void => {
    // A stamp is a pk in a list: about a tenth of a patch.
    const size = 1 + patches.length + stamps.flatMap(({ pks }) => pks).length / 10
    room = isFirst ? LOG_LIMIT + size / 2 : room - size
  }
  const clearStorage = async (): Promise<void> => {
    isClearing = false
    keys = []
    tracker.take()
    await storage.clear()
  }
  const writeOnce = async (): Promise<void> => {
    const taken = tracker.take()
    if (!isBehind && !taken) return
    const isLarge = room < 0
    const isFirst = keys.length === 0 || isBehind || isLarge
    const change = filtered(isBehind || isLarge ? tracker.all() : taken!)
    const entry: StoredEntry = { patchcord: 1, version, n: ++n, date: clock.date(), isFirst, change }
    const write = (each: StoredEntry): Promise<void> => storage.write([[`${n}`, each]], isFirst ? keys : [])
    await write(entry).catch((error: unknown) => {
      if ((error as { name?: unknown } | null)?.name !== 'DataCloneError') throw error
      reportOnce(error)
      // An entry with a function in it cannot be stored. It is stored as JSON then, which leaves out the function.
      return write(JSON.parse(JSON.stringify(entry)) as StoredEntry)
    })
    count(change, isFirst)
    keys = isFirst ? [`${n}`] : [...keys, `${n}`]
    isBehind = false
  }
  /** Writes what has changed. One write at a time; what changes meanwhile is in the next one. */
  const flush = async (): Promise<void> => {
    cancel?.()
    cancel = undefined
    if (writing) {
      await writing
      return flush()
    }
    if (!isRestored || !(isWriter || isClearing)) return
    writing = (isClearing ? clearStorage() : writeOnce())
      .then(() => void (hasReported = false))
      .catch((error: unknown) => {
        reportOnce(error)
        isBehind = true
        schedule(RETRY)
      })
      .finally(() => (writing = undefined))
    await writing
    if (isClearing) await flush()
  }

  const inTime = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = clock.after(PATIENCE, () => reject(new Error('The storage does not answer. Nothing is restored.')), true)
      work.then(resolve, reject).finally(stop)
    })
  /** Notes which keys are stored. The number of the next entry is higher than all of them, also than those of another version. */
  const noteKeys = (records: readonly (readonly [string, unknown])[]): void => {
    keys = records.map(([key]) => key)
    n = Math.max(n, ...keys.map(key => Number(key) || 0))
  }
  const restore = async (): Promise<boolean> => {
    try {
      const records = await inTime(storage.read())
      noteKeys(records)
      const log = readLog(records.map(([, value]) => value), version, clock.date() - maxAge)
      if (log === undefined) throw new Error('Stored data is damaged.')
      isBehind = log.length === 0 && keys.length > 0
      controller.batch(() => {
        for (const { change, isFirst } of log) {
          count(change, isFirst)
          // After a reset, what is stored belongs to the user who has logged out.
          if (!isDisposed && !isClearing) tracker.apply(filtered(change), true)
        }
      })
      return log.length > 0 && !isClearing
    } catch (error) {
      reportOnce(error)
      isBehind = true
      return false
    } finally {
      isRestored = true
    }
  }

  const untilReleased = (): Promise<void> => new Promise(resolve => (isDisposed ? resolve() : (release = resolve)))
  /** One tab at a time writes. A tab that had to wait for that does not know what the last one has written. */
  const lock = `patchcord persist ${name}`
  const wait = (): void => {
    const becomeWriter = async (): Promise<void> => {
      noteKeys(await storage.read().catch(() => []))
      isWriter = true
      isBehind = true
      schedule()
      await untilReleased()
    }
    void locks?.request(lock, {}, becomeWriter).catch(reportOnce)
  }
  const restored = new Promise<boolean>(resolve => {
    const start = async (isFree: boolean): Promise<void> => {
      isWriter = isFree
      resolve(await restore())
      if (isBehind || isClearing) schedule()
    }
    const hold = async (given: unknown): Promise<void> => {
      await start(given !== null)
      if (given === null) wait()
      else await untilReleased()
    }
    if (!locks) void start(true)
    else locks.request(lock, { ifAvailable: true }, hold).catch(() => start(true))
  })

  const stops = [
    controller.subscribePatches(({ cause }) => {
      if (cause !== 'reset') return
      isClearing = true
      void flush()
    }),
    // A page that is hidden may never be seen again.
    platform.watch(() => void (!platform.visible() && cancel && flush())),
  ]
  return {
    restored,
    async flush() {
      await restored
      await flush()
    },
    async clear() {
      await restored
      isClearing = true
      await flush()
    },
    async dispose() {
      if (isDisposed) return
      for (const stop of stops) stop()
      await restored
      if (cancel) await flush()
      isDisposed = true
      tracker.stop()
      release()
      await storage.close().catch(reportOnce)
    },
  }
}

/** The classes whose rows a table has: that of the class itself, and those in the name of a collection. */
function tablesIn(table: string): string[] {
  return [table, ...table.replace(/^\W|\W$/g, '').split(';')]
}

/** The entries in order; none when they are of another version or too old, undefined when they are damaged. */
function readLog(values: readonly unknown[], version: string, oldest: number): readonly StoredEntry[] | undefined {
  const log = values.map(value => Object(value) as StoredEntry).sort((a, b) => a.n - b.n)
  if (log.length === 0 || log.some(entry => entry.patchcord === 1 && entry.version !== version)) return []
  const whole = log.slice(log.findLastIndex(({ isFirst }) => isFirst))
  const isWhole = whole.every(({ patchcord, n, isFirst }, i) => patchcord === 1 && n === whole[0]!.n + i && isFirst === (i === 0))
  if (!isWhole) return undefined
  return whole.at(-1)!.date < oldest ? [] : whole
}
