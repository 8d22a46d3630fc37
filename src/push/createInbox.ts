import { PatchcordError } from '../base/errors.ts'
import { parseJson } from '../base/keys.ts'
import { isObject } from '../base/plain.ts'
import type { Stamp } from '../base/stamp.ts'
import type { Controller } from '../controller/Controller.ts'
import { uncertainLists } from '../controller/uncertainLists.ts'
import type { Operation } from '../normalize/fold.ts'
import { takeApart } from '../normalize/normalize.ts'
import { changeOperations } from '../order/changeOperations.ts'
import { PendingCall } from '../order/Layer.ts'
import type { Creation } from '../schema/Creation.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import type { Cell, State } from '../store/State.ts'
import { createOutdated } from './createOutdated.ts'
import type { PushMessage } from './PushMessage.ts'

/** Messages that arrive within this many milliseconds are one commit: at most 50 in a second. */
const WINDOW = 20

/** Any message, with the members that it may lack. */
type RawMessage = { readonly [name in 'type' | 'entity' | 'value' | 'pk' | 'key' | 'patches' | 'every']?: unknown }

export interface Inbox {
  /** The id of the last message that has landed. */
  lastId: string | undefined
  /** The id of the last message that has arrived: a new connection goes on from there. */
  arrivedId: string | undefined
  /** Takes a message, or the JSON of one. */
  add(raw: unknown, id?: string): void
  /** The mutation with this id was sent. */
  watch(outcome: Promise<unknown>, id: string | undefined): void
  /** Fetches the reads whose key starts with `prefix` again. */
  expire(prefix: string): void
  /** Forgets what has not landed. */
  clear(): void
}

/**
 * Messages on their way into the store. They land in the order of their arrival, many in one commit. `landed` is called
 * after each commit, with the interval of the last ping.
 */
export function createInbox(controller: Controller, types: { readonly [name: string]: unknown }, landed: (interval: number) => void): Inbox {
  const { clock, report, timeline } = controller
  const outdated = createOutdated(controller)
  let queue: unknown[] = []
  let cancel: (() => void) | undefined
  let flushedAt = -Infinity
  let interval = 0
  /** The mutations in flight, and what has landed since the oldest of them was sent. */
  let calls = 0
  let sinceCall: unknown[] = []
  /** Messages about new rows. They wait for the creations in flight: one of those may have made the row. */
  const delayed = new Set<unknown>()

  const typeOf = (name: unknown): unknown => {
    if (Object.hasOwn(types, name as string)) return types[name as string]
    throw new TypeError(`connect() has no type ${name as string}.`)
  }

  /** The class of a type: the type itself, or the members of its lists. */
  const entityOf = (name: unknown): { readonly key: string } => {
    const type = typeOf(name) as Creation & { readonly key: string }
    return (type.target?.memberSchema as { readonly key: string } | undefined) ?? type
  }

  /** Whether a row that is not here may be one whose creation was sent: it would be shown twice until the answer names it. */
  const isAwaited = (operation: Operation): boolean =>
    operation.type === 'write' && !timeline.base.read(operation.cell) && timeline.layers.some(layer => layer instanceof PendingCall && layer.sentAt && [...layer.temporary.values()].includes(operation.cell.table.key))

  /** A value like an answer. It is the argument too: collections compare it with their keys. */
  const answer = (schema: unknown, value: unknown, adopt: boolean): readonly Operation[] => takeApart(schema, value, [value], timeline.directory, { copies: !adopt }).operations

  /** Whether the answer of a call may have changed the row. One that is deleted now was deleted after the message. */
  const isAbout = ({ targets, temporary }: PendingCall, operation: Operation): boolean =>
    operation.type !== 'members' && (targets.has(operation.cell) || [...temporary.values()].includes(operation.cell.table.key)) && !timeline.base.stamp(operation.cell)?.deleted

  /** With `call`, a message lands once more, after the answer of that call. */
  const land = ({ type, entity, value, pk, key, patches, every }: RawMessage, base: State, stamp: Stamp, adopt: boolean, call?: PendingCall): readonly Operation[] => {
    const operations = type === 'upsert' ? answer(typeOf(entity), value, adopt) : type === 'remove' ? answer(new Invalidate(entityOf(entity) as never), pk, adopt) : []
    if (call && !operations.some(operation => isAbout(call, operation))) return []
    if (operations.length > 0) return operations
    if (type === 'patches') return changeOperations(base, patches as never, [], stamp, true)
    if (type === 'reset') outdated.addKeys('')
    else if (type === 'ping') interval = Number(every) || 0
    else if (type !== 'invalidate') throw new TypeError(`There is no message ${type as string}.`)
    else if (key && typeof key === 'string') outdated.addKeys(key)
    else outdated.addEntity(entityOf(entity).key, `${pk as string}`)
    return []
  }

  /** A bad message is reported and skipped. */
  const write = (messages: readonly unknown[], call?: PendingCall): void => {
    const { base } = timeline
    const landed: Operation[] = []
    const errors = controller.batch(() =>
      timeline.landAll(messages.map(raw => (base, stamp) => {
        const isText = typeof raw === 'string'
        const operations = land((isText ? JSON.parse(raw) : raw) as RawMessage, base, stamp, isText, call)
        const waits = operations.some(isAwaited)
        if (waits) delayed.add(raw)
        else if (operations.length > 0) delayed.delete(raw)
        if (waits) return []
        for (const operation of operations) {
          landed.push(operation)
          // A read in flight may bring the new values later, at an older position. The lists of the old values are known by this state.
          if (operation.type === 'members') operation.earlier = [base]
        }
        return operations
      }), { cause: 'push', origin: 'push' }))
    // A read may have brought the new values of a row before this message did. Then the old values, and with them the lists that the row has to leave, are not known: lists that still have it are fetched again.
    const changes = landed.filter(operation => operation.type === 'remove' || (operation.type === 'members' && operation.readsRecords))
    const hasRow = ({ table, pk }: Cell, row: Operation): boolean => row.type === 'write' && Object.values(timeline.base.row(table.key, pk)!).some((member: unknown) => (isObject(member) ? (member as { readonly id?: unknown }).id : member) === row.cell.pk)
    for (const list of uncertainLists(changes, timeline.base, base)) if (landed.some(row => row.type === 'remove' || hasRow(list, row))) outdated.addEntity(list.table.key, list.pk)
    for (const cause of errors) report(new PatchcordError('MESSAGE', 'A message of the stream was skipped: see its cause.', { cause }))
  }

  const flush = (): void => {
    cancel = undefined
    flushedAt = clock.now()
    const messages = queue
    queue = []
    if (calls > 0) sinceCall = sinceCall.concat(messages)
    write(messages)
    inbox.lastId = inbox.arrivedId
    landed(interval)
  }

  const inbox: Inbox = {
    lastId: undefined,
    arrivedId: undefined,
    add(raw, id = ((typeof raw === 'string' ? parseJson(raw) : raw) as PushMessage | null | undefined)?.id) {
      queue.push(raw)
      inbox.arrivedId = id || inbox.arrivedId
      cancel ??= clock.after(flushedAt + WINDOW - clock.now(), flush)
    },
    // Its answer may be older than messages that arrive before it: these land once more, above it.
    watch(outcome, id) {
      calls++
      const from = sinceCall.length
      const call = timeline.layers.find((layer): layer is PendingCall => layer instanceof PendingCall && layer.id === id)
      const settled = (): void => {
        if (call) write([...delayed, ...sinceCall.slice(from)], call)
        if (--calls > 0) return
        sinceCall = []
        delayed.clear()
      }
      outcome.then(settled, settled)
    },
    expire: outdated.addKeys,
    clear() {
      cancel?.()
      cancel = undefined
      queue = []
      sinceCall = []
      delayed.clear()
      inbox.arrivedId = inbox.lastId
      outdated.stop()
    },
  }
  return inbox
}
