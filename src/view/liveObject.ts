import type { Shape } from '../schema/dispatch.ts'
import { INVALID, type Fields } from '../schema/interface.ts'
import { alike } from './alike.ts'
import type { LiveHost } from './liveHost.ts'
import { Place } from './livePlace.ts'
import { LiveProxy } from './liveProxy.ts'

/** What a live plain object shows; the functions are tracked reads. */
export interface LiveObjectSource {
  readonly args: readonly unknown[]
  shape(): Shape
  stored(): Fields | undefined
}

/** A result that is no entity, like `{ results: […], cursor }`: one object, with a memo for each field that is read. */
export class LiveObject extends LiveProxy {
  readonly proxy: object = new Proxy({}, this)
  readonly #source: LiveObjectSource
  readonly #fields = new Map<string, () => unknown>()
  readonly #names: () => readonly string[]
  /** The last that there was. */
  #stored: Fields = {}

  constructor(host: LiveHost, source: LiveObjectSource) {
    super(host)
    this.#source = source
    let known: readonly string[] = []
    this.#names = host.tracker.memo(() => {
      const names = Object.keys(this.#now())
      return alike(known, names) ? known : (known = names)
    })
  }

  get(target: object, key: string | symbol, receiver: unknown): unknown {
    return typeof key === 'string' && this.owns(key) ? this.read(key) : Reflect.get(target, key, receiver)
  }

  protected override get label(): string {
    return 'This result'
  }

  protected override owns(field: string): boolean {
    return this.#names().includes(field)
  }

  override ownKeys(): string[] {
    return [...this.#names()]
  }

  protected override read(field: string): unknown {
    let read = this.#fields.get(field)
    if (read === undefined) {
      const place = new Place(this, this.#source.args)
      read = this.host.tracker.memo(() => {
        const shape = this.#source.shape()
        const stored = this.#now()
        if (!Object.hasOwn(shape, field)) return stored[field]
        const value = place.show(this.host, shape[field], stored, field)
        return value === INVALID ? undefined : value
      })
      this.#fields.set(field, read)
    }
    return read()
  }

  #now(): Fields {
    return (this.#stored = this.#source.stored() ?? this.#stored)
  }
}
