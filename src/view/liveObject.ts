import { PatchcordError } from '../base/errors.ts'
import type { Fields } from '../schema/interface.ts'
import type { LiveRow } from './LiveRow.ts'
import type { Tracker } from './tracker.ts'

/** The fields of live objects: of a class, or of a result that is a plain object. */
export interface Shape {
  readonly label: string
  readonly schema: Fields
  readonly defaults: Fields
  /** Methods and accessors, which are not fields. */
  readonly members: ReadonlySet<string>
  readonly deserialized: WeakMap<object, Map<string, unknown>>
}

const ROW: unique symbol = Symbol('row')

interface LiveTarget {
  readonly [ROW]: LiveRow
}

export type LiveHandler = ProxyHandler<LiveTarget>

/** A live object: it has the fields of a row and the methods of a prototype. */
export function makeObject(row: LiveRow, proto: object, handler: LiveHandler): object {
  return new Proxy<LiveTarget>(Object.defineProperty(Object.create(proto) as LiveTarget, ROW, { value: row, configurable: true }), handler)
}

/** How the live objects of one shape are read: they look like objects with own data, and cannot be written to. */
export function makeHandler({ label, defaults, members }: Shape, tracker: Tracker, read: (row: LiveRow, name: string) => unknown): LiveHandler {
  const isField = (name: string | symbol): name is string => typeof name === 'string' && !members.has(name)
  const names = (target: LiveTarget): string[] => [...new Set([...Object.keys(defaults), ...target[ROW].names])].filter(isField)
  const refuse = (): never => {
    throw new PatchcordError('READ_ONLY', `A live ${label} is read only. Write with controller.set.`)
  }
  return {
    get: (target, name, receiver) => (isField(name) ? read(target[ROW], name) : Reflect.get(Object.getPrototypeOf(target) as object, name, receiver)),
    has: (target, name) => name in (Object.getPrototypeOf(target) as object) || names(target).includes(name as string),
    ownKeys: names,
    getOwnPropertyDescriptor: (target, name) =>
      names(target).includes(name as string) ? { value: tracker.untracked(() => read(target[ROW], name as string)), enumerable: true, configurable: true, writable: false } : undefined,
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    preventExtensions: refuse,
    setPrototypeOf: refuse,
  }
}
