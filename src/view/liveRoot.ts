import { detached, isPlain } from '../base/plain.ts'
import { denormalizeWith, shapeOf } from '../schema/dispatch.ts'
import { INVALID, Schema } from '../schema/interface.ts'
import { LiveObject, type LiveObjectSource } from './liveObject.ts'
import { Place } from './livePlace.ts'
import type { LiveReader } from './liveReader.ts'
import { probeOf } from './liveValidity.ts'

/** What somebody asked for: a schema with arguments, or an endpoint's result. */
export interface LiveRoot extends LiveObjectSource {
  /** What is there now. Tracked; readers run again only when it is another object or value. */
  read: () => unknown
}

export function liveRoot(reader: LiveReader, schema: unknown, asked: readonly unknown[], find: (args: readonly unknown[]) => unknown): LiveRoot {
  // Who asked may change theirs, and others ask by the same key.
  const args = detached(asked) as readonly unknown[]
  const root: LiveRoot = {
    args,
    shape: () => shapeOf(schema) ?? {},
    stored() {
      const stored = find(args)
      return isPlain(stored) ? stored : undefined
    },
    read: show,
  }
  // Keeps the root alive, as does the object.
  const place = new Place(root, args)
  let object: LiveObject | undefined
  // Last: a library may compute at once.
  root.read = reader.tracker.memo(show)
  return root

  function show(): unknown {
    const stored = find(args)
    if (stored === undefined || stored === null) return stored
    if ((!schema || shapeOf(schema)) && isPlain(stored)) {
      // One declared member that must not be shown makes the whole object one.
      if (probeOf((entity, pk) => reader.entity(entity, pk))(Object.entries(root.shape()), stored)) return undefined
      return (object ??= new LiveObject(reader, root)).proxy
    }
    const make = (): unknown => denormalizeWith(schema, stored, reader)
    const value = schema instanceof Schema && schema.computes ? place.compute(reader, make) : place.walk(reader, stored, make)
    return value === INVALID ? undefined : value
  }
}
