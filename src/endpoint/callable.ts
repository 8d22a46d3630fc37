/**
 * An endpoint is a function whose prototype is that of its class. Methods are looked up as on any instance: an own
 * property (an option) wins over the class, and `super` reaches the parent class.
 */

/** A callable instance, for code that knows only its shape. */
export interface Bag {
  [name: string]: unknown
}

/** Creates a function that runs its own `fetch`, with `prototype` as its prototype. */
export function callable(prototype: object): Bag {
  const self = (...args: unknown[]): unknown => (self as unknown as { fetch(...args: unknown[]): unknown }).fetch(...args)
  Reflect.deleteProperty(self, 'name')
  return Object.setPrototypeOf(self, prototype) as Bag
}

/** Sets `options` on `target`. An `undefined` option does not replace an inherited method or default. */
export function define(target: object, options: object): void {
  for (const name of Object.keys(options)) {
    const property = Object.getOwnPropertyDescriptor(options, name)!
    if (property.value === undefined && !property.get && name in (Object.getPrototypeOf(target) as object)) continue
    // Options may be frozen, and a class field must still be able to replace them.
    Object.defineProperty(target, name, { ...property, configurable: true })
  }
}

/** Whether `method` only reads. */
export function isReadMethod(method: string): boolean {
  return /^(get|head|options)$/i.test(method)
}

/**
 * The base class of all endpoints. Its prototype inherits nothing, so a polluted `Object.prototype` cannot add a schema
 * or a method to an endpoint.
 */
export const Callable: new () => object = /* @__PURE__ */ (() => {
  function Callable(): object {
    return callable((new.target as unknown as { prototype: object }).prototype)
  }
  const { apply, call, toString } = Function.prototype
  const prototype = Object.assign(Object.create(null) as Bag, { apply, call, toString, dataExpiryLength: 60_000, errorExpiryLength: 1000 })
  // Defaults that depend on other options. Compilers may turn class fields into assignments, hence the setter.
  const derive = (name: string, get: (this: Bag) => unknown): void =>
    void Object.defineProperty(prototype, name, { get, set(this: object, value: unknown) { define(this, { [name]: value }) }, configurable: true })
  derive('name', function () {
    return `${(this['urlPrefix'] as string | undefined) ?? ''}${(this['path'] as string | undefined) ?? ''}`
  })
  derive('method', function () {
    return this['sideEffect'] ? 'POST' : 'GET'
  })
  derive('sideEffect', function () {
    // Reading the default of `method` here would recurse.
    let owner = this as object
    while (!Object.hasOwn(owner, 'method')) owner = Object.getPrototypeOf(owner) as object
    return owner !== prototype && !isReadMethod(String(this['method']))
  })
  Callable.prototype = prototype
  return Callable as unknown as new () => object
})()
