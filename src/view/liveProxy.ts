import { PatchcordError } from '../base/errors.ts'
import type { LiveHost } from './liveHost.ts'

/**
 * What a proxy needs to look like an object with own, enumerable data properties: `JSON.stringify`, spread, `in`,
 * `Object.keys` and deep equality see the fields. Every look is a tracked read; every write is refused.
 */
export abstract class LiveProxy implements ProxyHandler<object> {
  protected declare readonly host: LiveHost
  /** What to call it in a sentence. */
  protected abstract get label(): string
  /** Whether it has this field. */
  protected abstract owns(field: string): boolean
  protected abstract read(field: string): unknown

  constructor(host: LiveHost) {
    this.host = host
  }

  abstract get(target: object, key: string | symbol, receiver: unknown): unknown

  has(target: object, key: string | symbol): boolean {
    return (typeof key === 'string' && this.owns(key)) || Reflect.has(target, key)
  }

  abstract ownKeys(): string[]

  getOwnPropertyDescriptor(_target: object, key: string | symbol): PropertyDescriptor | undefined {
    if (typeof key === 'symbol' || !this.owns(key)) return undefined
    // Who asks for the keys is given the descriptors too, and must not depend on what the fields hold for that.
    const value: unknown = this.host.tracker.untracked(() => this.read(key))
    // A proxy may not call a property fixed that its target does not have, so it says configurable, and refuses.
    return { value, enumerable: true, configurable: true, writable: false }
  }

  set(_target: object, key: string | symbol): never {
    return this.#refuse(key)
  }

  defineProperty(_target: object, key: string | symbol): never {
    return this.#refuse(key)
  }

  deleteProperty(_target: object, key: string | symbol): never {
    return this.#refuse(key)
  }

  setPrototypeOf(): never {
    return this.#refuse('prototype')
  }

  preventExtensions(): never {
    return this.#refuse('extensibility')
  }

  #refuse(key: string | symbol): never {
    throw new PatchcordError(
      'READ_ONLY',
      `${this.label} is a live object: its ${String(key)} shows what the store holds, and cannot be changed here. Change the store: controller.set, or a mutation.`,
    )
  }
}
