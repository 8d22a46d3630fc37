import { Entity } from '../../src/index.ts'
import type { Fields } from '../../src/index.ts'
import { anyName, anyObject, anyPk, anyValue, put } from './hostile.ts'
import type { Tape } from '../support/tape.ts'
import type { Watch } from './watch.ts'

type EntityClass = typeof Entity

/** What a law may want to know of an entity class of the zoo, and how to make what a server would send for it. */
export interface Species {
  readonly entity: EntityClass
  readonly key: string
  /** Fields that hold plain data. */
  readonly scalars: readonly string[]
  /** What is nested, by field: given how deep it may go, some input for it. */
  readonly nested: Map<string, (tape: Tape, depth: number) => unknown>
  /** What the nested fields lead to, where a model has to know. */
  readonly relations: Map<string, Relation>
}

/** One entity, a list of them, or an object with some of its fields being entities. */
export type Relation = { one: Species } | { many: Species } | { shape: { readonly [field: string]: Species } }

/** Lifecycle methods and lifecycle-like options, under the names of `Entity`. */
type Statics = { [name: string]: unknown }

const lifecycle = ['process', 'pk', 'validate', 'merge', 'mergeWithStore', 'mergeMetaWithStore', 'shouldReorder', 'shouldUpdate']

/** A new class. A watched one has every lifecycle method overridden, by one that is reported and then does the same. */
export function species(key: string, scalars: readonly string[], statics: Statics = {}, watch?: Watch, Base: EntityClass = Entity): Species {
  const made = class extends Base {}
  put(made, 'key', key)
  for (const name of Object.keys(statics)) put(made, name, statics[name])
  if (watch !== undefined) {
    for (const name of lifecycle) {
      const inner = (made as unknown as { [name: string]: (...args: unknown[]) => unknown })[name]!
      put(made, name, function (this: unknown, ...args: unknown[]) {
        watch.call(name)
        return inner.apply(this, args)
      })
    }
  }
  return { entity: made as unknown as EntityClass, key, scalars, nested: new Map(), relations: new Map() }
}

/** States what is nested in a species; apart from making it, because species nest each other. */
export function nest(into: Species, field: string, schema: unknown, input: (tape: Tape, depth: number) => unknown, relation?: Relation): void {
  ;(into.entity as { schema: Fields }).schema = { ...into.entity.schema, [field]: schema }
  into.nested.set(field, input)
  if (relation !== undefined) into.relations.set(field, relation)
}

/** One object that a server sends: some of its fields, now and then only its pk. */
export function anyOne(of: Species, tape: Tape, depth: number, pk: unknown = anyPk(tape)): unknown {
  if (depth < 2 && tape.chance(15)) return pk
  const input = { id: pk }
  for (const field of of.scalars) if (tape.chance(55)) put(input, field, field === 'data' && tape.chance(85) ? anyObject(tape) : anyValue(tape))
  if (tape.chance(12)) put(input, anyName(tape, ['x', 'y']), anyValue(tape))
  if (depth > 0) {
    for (const [field, make] of of.nested) if (tape.chance(60)) put(input, field, tape.chance(8) ? null : make(tape, depth - 1))
  }
  return input
}

/** A list of them; the same one may come twice. */
export function anyMany(of: Species, tape: Tape, depth: number, most = 4): unknown[] {
  return Array.from({ length: tape.int(most + 1) }, () => anyOne(of, tape, depth))
}
