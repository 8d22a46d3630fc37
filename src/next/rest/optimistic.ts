import type { Snap } from '../endpoint/types.ts'
import { splitArgs, type Addressed } from './args.ts'
import { isData, isFields } from './body.ts'
import { Recorded } from './Recorded.ts'
import type { Member } from './Resource.ts'

/**
 * What the members of a resource expect the server to answer. A body that is no data (a form, a file) cannot be
 * looked into, so then nothing is shown before the answer.
 */
export const expected = {
  /** What was sent, with the parameters: a create, an update. */
  sent(this: Addressed, snap: Snap, ...args: readonly unknown[]): unknown {
    const [params, body] = splitArgs(this, args)
    if (!isData(body)) throw snap.abort
    return Array.isArray(body) ? body.map((each: object) => ({ ...params, ...each })) : { ...params, ...(body as object) }
  },

  /** What is there, with what was sent over it; nothing when it is not there. */
  merged(this: Member, snap: Snap, ...args: readonly unknown[]): unknown {
    const [params, body] = splitArgs(this, args)
    const now = snap.get(new Recorded((this['~home']()['get'] as Member).schema), params)
    if (now === undefined || !isFields(body)) throw snap.abort
    return { ...params, ...now, ...body }
  },

  /** The parameters name what goes. */
  gone(this: Addressed, _snap: Snap, params: unknown): unknown {
    return params
  },
}
