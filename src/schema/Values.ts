import { ValidationError } from '../base/errors.ts'
import { isObject, put, warnProto, type Plain } from '../base/plain.ts'
import { describe } from './describe.ts'
import { isVisible, type Fields, type ViewHost, type Walk } from './interface.ts'
import { Many, type Attribute, type MemberView } from './Variants.ts'

/**
 * An object with any number of string keys whose values are of one type, or of several that an attribute distinguishes.
 *
 * @example
 * new schema.Values(Price) // { EUR: { … }, USD: { … } }
 */
export class Values<D = unknown, A extends Attribute | undefined = string | ((value: Fields, parent: Fields, key: string) => unknown) | undefined> extends Many<{ [name: string]: MemberView<D, A> }> {
  /** @internal Encloses the key of a collection. */ readonly brackets: string = '{}'

  constructor(definition: D, attribute?: A) {
    super('schema.Values', definition, attribute)
  }

  /** Entries that are `null` or undefined are dropped. */
  override normalize(input: unknown, _parent: unknown, _key: string, walk: Walk): unknown {
    if (typeof input === 'boolean') return input
    if (!isObject(input)) throw new ValidationError(`Expected an object of values, found ${describe(input)}.`, input)
    const stored: Plain = {}
    for (const name of Object.keys(input)) {
      const value = (input as Plain)[name]
      if (value === null || value === undefined) continue
      if (name === '__proto__') warnProto()
      else put(stored, name, walk.visit(this.member, value, input, name))
    }
    return Object.freeze(stored)
  }

  /** Entries that are missing or INVALID are left out. */
  override denormalize(stored: unknown, host: ViewHost): unknown {
    if (!isObject(stored)) return stored
    const view: Plain = {}
    for (const name of Object.keys(stored)) {
      const member = host.visit(this.member, (stored as Plain)[name])
      if (isVisible(member) && member !== null) put(view, name, member)
    }
    return Object.freeze(view)
  }
}
