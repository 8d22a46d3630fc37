import { Entity } from './Entity.ts'
import type { Fields } from './interface.ts'

/**
 * The options of `EntityMixin`.
 *
 * @example
 * const options: MixinOptions<{ username: string }> = { pk: 'username', key: 'User' }
 */
export interface MixinOptions<T> {
  /** A field, or a function of the value. */
  readonly pk?: keyof T | ((value: T, parent?: unknown, key?: string, args?: readonly unknown[]) => string | number | bigint | undefined)
  readonly key?: string
  readonly schema?: { readonly [field: string]: unknown }
}

type Constructor<T> = new () => T

/**
 * The class that a mixin makes: the instances of `Base`, the statics of both `Base` and `Entity`.
 *
 * @example
 * class Point { x = 0; y = 0 }
 * const Spot: Mixed<Point, { key: 'Spot' }> = EntityMixin(Point, { key: 'Spot', pk: ({ x, y }: Point) => `${x},${y}` })
 */
export type Mixed<T, O, B = object> = Omit<typeof Entity, 'prototype' | 'schema' | 'key' | keyof B> & Omit<B, 'prototype' | 'schema' | 'key'> &
  (new () => T & { pk(parent?: unknown, key?: string, args?: readonly unknown[]): string | number | bigint | undefined }) & {
    readonly schema: O extends { readonly schema: infer S } ? S : B extends { readonly schema: infer S } ? S : { readonly [field: string]: unknown }
    readonly key: string
  }

/**
 * Turns a class of yours into an entity.
 *
 * @example
 * class User { username = ''; email = '' }
 * class UserEntity extends EntityMixin(User, { pk: 'username', key: 'User' }) {}
 */
export function EntityMixin<T extends object, const O extends MixinOptions<T> & Fields, B extends Constructor<T>>(Base: B & Constructor<T>, options?: O): Mixed<T, O, B> {
  const { pk, ...statics } = (options ?? {}) as MixinOptions<T> & Fields
  // Two chains: instances are made by Base and inherit from it, statics inherit from Entity.
  function Mixin(): object {
    return Reflect.construct(Base, [], new.target as unknown as new () => object) as object
  }
  Object.setPrototypeOf(Mixin, Entity)
  Mixin.prototype = Object.create(Base.prototype as object) as object
  define(Mixin.prototype, 'constructor', Mixin)
  define(Mixin.prototype, 'pk', pkMethod(pk) ?? (Base.prototype as Partial<Entity>).pk ?? Entity.prototype.pk)
  copyStatics(Base, Mixin)
  // An undefined says nothing, as among the options of an endpoint.
  for (const name of Object.keys(statics)) if (statics[name] !== undefined) define(Mixin, name, statics[name])
  return Mixin as unknown as Mixed<T, O, B>
}

/** The static members of `from` and the classes it extends, the nearest last. */
function copyStatics(from: object, to: object): void {
  if (from === Function.prototype || Object.hasOwn(from, '~base')) return
  copyStatics(Object.getPrototypeOf(from) as object, to)
  for (const name of Object.getOwnPropertyNames(from)) {
    if (name === 'prototype' || name === 'length') continue
    Object.defineProperty(to, name, Object.getOwnPropertyDescriptor(from, name)!)
  }
}

function pkMethod<T>(pk: MixinOptions<T>['pk']): Entity['pk'] | undefined {
  if (pk === undefined) return undefined
  return function (this: unknown, parent, key, args) {
    return typeof pk === 'function' ? pk(this as T, parent, key, args) : ((this as T)[pk] as string)
  }
}

/** Not enumerable, as methods and statics of a class are not. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true })
}
