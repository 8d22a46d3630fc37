/**
 * An endpoint is a function with the prototype of its class. So methods are looked up as on any instance: an own
 * property (an option) wins over the class, and `super` reaches the class above.
 */

/** What a callable instance is to code that has only the shape. */
export interface Bag {
  [name: string]: unknown
}

interface CallableConstructor {
  new (options: object): object
}

/** A function that runs its own `fetch`, with `proto` as its prototype. */
export function callable(proto: object): object {
  const self = (...args: unknown[]): unknown => (self as unknown as { fetch(...args: unknown[]): unknown }).fetch(...args)
  return Object.setPrototypeOf(self, proto) as object
}

/** Sets `options` on `target`, over whatever it has. An undefined where the class has a method or a default says nothing. */
export function define(target: object, options: object): void {
  const inherited = Object.getPrototypeOf(target) as object
  for (const name of Object.keys(options)) {
    const property = Object.getOwnPropertyDescriptor(options, name)!
    if (property.value === undefined && !property.get && name in inherited) continue
    // Options may be frozen, and a class field must still be able to follow.
    Object.defineProperty(target, name, { ...property, configurable: true })
  }
}

/**
 * The base of all endpoints. Its prototype ends in nothing, so that a polluted `Object.prototype` cannot lend an
 * endpoint a schema or a method; calling, binding and printing work as for any function.
 */
export const Callable: CallableConstructor = /* @__PURE__ */ (() => {
  function Callable(options: object): object {
    const self = callable((new.target as unknown as { prototype: object }).prototype)
    define(self, options)
    return self
  }
  const { apply, bind, call, toString } = Function.prototype
  Callable.prototype = Object.assign(Object.create(null) as object, { apply, bind, call, toString, name: '', dataExpiryLength: 60_000, errorExpiryLength: 1000 })
  // Accessors at the root: options, fields and accessors of any class go before them. A field may also be assigned, by
  // compilers that are told so.
  Object.defineProperties(Callable.prototype, {
    method: { get: methodOf, set(this: object, method: string) { define(this, { method }) }, configurable: true },
    sideEffect: { get: sideEffectOf, set(this: object, sideEffect: boolean) { define(this, { sideEffect }) }, configurable: true },
  })
  return Callable as unknown as CallableConstructor

  function methodOf(this: Bag): string {
    return this['sideEffect'] ? 'POST' : 'GET'
  }

  function sideEffectOf(this: Bag): boolean {
    return statesMethod(this) && !/^(get|head|options)$/i.test(String(this['method']))
  }

  /** Whether anything before the root says what the method is; to ask `method` itself would be to ask in a circle. */
  function statesMethod(at: object): boolean {
    return at !== Callable.prototype && (Object.hasOwn(at, 'method') || statesMethod(Object.getPrototypeOf(at) as object))
  }
})()
