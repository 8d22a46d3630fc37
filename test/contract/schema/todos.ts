import { Entity, schema } from '../../../src/index.ts'
import type { Fields, Meta, State } from '../../../src/index.ts'
import { write } from '../../support/write.ts'

export class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  type = 'todo'
  title = ''
}

export class Note extends Entity {
  static override key = 'Note'
  id = ''
  type = 'note'
}

/** The two types, by the value of their field `type`. */
export const byType = { todo: Todo, note: Note }

export const todos = new schema.Collection([Todo])

/** The statics that a class may override. */
interface Statics {
  schema?: Fields
  indexes?: string[]
  version?: string | ((record: Fields) => string)
  pk?(value: never, parent?: unknown, key?: string, args?: readonly unknown[]): unknown
  queryKey?(): string
  process?(input: Fields, parent: unknown, key: string, args: readonly unknown[]): unknown
  validate?(processed: Fields): string | undefined
  shouldUpdate?(...all: [Meta, Meta, Fields, Fields]): boolean
  shouldReorder?(): boolean
  merge?(existing: Fields, incoming: Fields): unknown
  mergeWithStore?(...all: [Meta, Meta, Fields, Fields]): Fields
  mergeMetaWithStore?(...all: [Meta, Meta, Fields, Fields]): Meta
}

/** An entity class with this name, this key and these statics. */
export function entity(key: string, statics: Statics = {}): typeof Entity & (new () => Entity) {
  const { [key]: type } = { [key]: class extends Entity {} }
  return Object.assign(type!, { key }, statics) as typeof Entity & (new () => Entity)
}

/** The ids of the rows in a list. */
export const idsOf = (list: unknown): unknown => (list as { id: unknown }[] | undefined)?.map((row) => row?.id)

/** The state after the row (type, pk) was deleted. */
export const without = (state: State, pk: string, type: typeof Entity = Todo): State => write(new schema.Invalidate(type), pk, state).state
