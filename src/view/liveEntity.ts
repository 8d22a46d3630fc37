import { obtain } from '../base/obtain.ts'
import { identical } from '../base/plain.ts'
import { INVALID, type Fields } from '../schema/interface.ts'
import { sameFields } from './alike.ts'
import { membersOf, withoutOne, withOne, type Few } from './few.ts'
import type { Follower, LiveHost, Member } from './liveHost.ts'
import { Place } from './livePlace.ts'
import { LiveProxy } from './liveProxy.ts'
import type { LiveType } from './liveType.ts'
import type { Source } from './tracker.ts'
import { madeAlike } from './unchanged.ts'

/** No row. */
export const MISSING = 0
/** A row that may be shown. */
export const VALID = 1
/** Deleted, refused by the class, or without something that it requires. */
export const BROKEN = 2

/**
 * One row, seen by one class: the one live object that everybody gets. It keeps the record that it shows, and a source
 * for each field that somebody reads; a commit hands it the next record, and it triggers the sources of those fields
 * that differ.
 */
export class LiveEntity extends LiveProxy implements Member, Follower {
  declare readonly type: LiveType
  readonly ref: WeakRef<LiveEntity> = new WeakRef(this)
  /** With what it requires taken into account. */
  status: number = MISSING
  /** What it requires. */
  needs: readonly Member[] = NONE
  /** What the row says by itself, whatever it requires. */
  alone: number = MISSING
  /** What it shows: the last record that there was. */
  record: Fields | undefined
  /** What the class made of the record, where it has ways of its own. */
  #made: Fields | undefined
  #proxy: object | undefined
  #sources: Sources | undefined
  #places: Map<string, Place> | undefined
  /** Most entities are shown in one list. */
  #followers: Few<WeakRef<Follower>>

  constructor(type: LiveType, host: LiveHost) {
    super(host)
    this.type = type
  }

  get shown(): unknown {
    return this.status === VALID ? this.last : this.status === BROKEN ? INVALID : undefined
  }

  /** The live object, also of a row that is gone; undefined when there never was one. */
  get last(): object | undefined {
    return this.record && (this.#proxy ??= new Proxy(this.type.target, this))
  }

  /** Takes over the row as a commit left it. True when it has to be asked again whether it may be shown. */
  take(row: Fields | undefined, deleted: boolean): boolean {
    const alone = this.alone
    const record = this.record
    if (row === undefined) this.alone = deleted ? BROKEN : MISSING
    else if (row !== record || alone !== VALID) this.alone = this.#accept(row) ? VALID : BROKEN
    if (this.alone !== alone) return true
    return this.record !== record && this.type.required.some(([field]) => record?.[field] !== this.record?.[field])
  }

  /** Tells those who looked whether it may be shown. */
  changed(): void {
    this.#sources?.[PRESENCE]?.trigger()
    this.eachFollower(follower => follower.memberChanged(this))
  }

  look(): unknown {
    this.#track(PRESENCE)
    return this.shown
  }

  follow(follower: WeakRef<Follower>): void {
    const followers = (this.#followers = withOne(this.#followers, follower))
    // Those that died are swept out each time the set has doubled.
    if (followers instanceof Set && (followers.size & (followers.size - 1)) === 0) this.eachFollower(() => true)
  }

  /** Calls `visit` for each follower; one for which it returns false is let go, as are those that died. */
  eachFollower(visit: (follower: Follower) => boolean): void {
    for (const ref of membersOf(this.#followers)) {
      const follower = ref.deref()
      if (follower === undefined || !visit(follower)) this.#followers = withoutOne(this.#followers, ref)
    }
  }

  memberChanged(member: Member): boolean {
    return this.needs.includes(member)
  }

  get(_target: object, key: string | symbol, receiver: unknown): unknown {
    const { plan } = this.type
    if (typeof key === 'string' && !plan.members.has(key)) return this.read(key)
    // Getters and methods run with the proxy as `this`, so what they read is tracked.
    return Reflect.get(this.#made ?? plan.defaults, key, receiver)
  }

  protected override get label(): string {
    return this.type.plan.key
  }

  protected override read(field: string): unknown {
    const record = this.record!
    const { byName, defaults } = this.type.plan
    this.#track(field)
    if (this.#shows(record, this.#made, field)) {
      const schema = byName.get(field)
      return schema ? this.#nested(field, schema, record) : record[field]
    }
    const rest = this.#made ?? defaults
    return Object.hasOwn(rest, field) ? rest[field] : undefined
  }

  protected override owns(field: string): boolean {
    const { plan } = this.type
    if (plan.members.has(field)) return false
    if (Object.hasOwn(this.#made ?? plan.defaults, field)) return true
    this.#track(NAMES)
    return this.#shows(this.record!, this.#made, field)
  }

  override ownKeys(): string[] {
    const names = Object.keys(this.#made ?? this.type.plan.defaults)
    for (const field of Object.keys(this.record!)) if (!names.includes(field) && this.owns(field)) names.push(field)
    this.#track(NAMES)
    return names
  }

  #nested(field: string, schema: unknown, record: Fields): unknown {
    const host = this.host
    const stored = record[field]
    if (stored === null) return null
    const member = host.member(schema, stored)
    const value = member ? member.look() : this.#place(field).show(host, schema, record, field)
    if (value !== INVALID) return value
    // Without what it requires this is not shown either. Whoever still holds it finds what was there.
    return member && this.type.plan.defaults[field] ? member.last : undefined
  }

  #place(field: string): Place {
    return obtain((this.#places ??= new Map<string, Place>()), field, () => new Place(this))
  }

  /** Shows `row` from here on, unless the class will not have it. */
  #accept(row: Fields): boolean {
    const { entity, plan } = this.type
    let made: Fields | undefined
    try {
      if (plan.custom.create) {
        made = entity.createIfValid(row) as Fields | undefined
        if (made === undefined) return false
      } else if (plan.custom.validate && entity.validate(row)) return false
    } catch (error) {
      this.host.report(error)
      return false
    }
    const record = this.record
    const old = this.#made
    // What the class makes the same each time is the same to its readers.
    if (made && old) for (const field of Object.keys(made)) if (madeAlike(old[field], made[field])) Reflect.set(made, field, old[field])
    this.record = row
    this.#made = made
    if (record !== undefined) this.#compare(record, old)
    return true
  }

  #compare(record: Fields, made: Fields | undefined): void {
    const sources = this.#sources
    if (sources === undefined) return
    for (const field in sources) {
      const stays = identical(this.#stored(record, made, field), this.#stored(this.record!, this.#made, field))
      if (!stays) sources[field]!.trigger()
    }
    const names = sources[NAMES]
    if (names === undefined) return
    const same = sameNames(record, this.record!) && (made === undefined || sameNames(made, this.#made!))
    if (!same) names.trigger()
  }

  /** What a field is made of. */
  #stored(record: Fields, made: Fields | undefined, field: string): unknown {
    return (this.#shows(record, made, field) ? record : (made ?? this.type.plan.defaults))[field]
  }

  /** Whether it is the record that a field is made of. */
  #shows(record: Fields, made: Fields | undefined, field: string): boolean {
    return Object.hasOwn(record, field) && (made === undefined || this.type.plan.byName.has(field))
  }

  #track(what: string | symbol): void {
    const { tracker } = this.host
    if (!tracker.isTracking()) return
    const sources = (this.#sources ??= Object.create(NO_SOURCES) as Sources)
    ;(sources[what] ??= tracker.source(this)).track()
  }
}

/** By field, and for whether it is shown and which fields it has. A fifth of the size of a map. */
interface Sources {
  [what: string | symbol]: Source | undefined
}

const PRESENCE = Symbol('presence')
const NAMES = Symbol('names')
/** Inherits nothing: a field may have any name. */
const NO_SOURCES: object = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.create(null))
const NONE: readonly Member[] = []

const sameNames = (a: Fields, b: Fields): boolean => sameFields(a, b, () => true)
