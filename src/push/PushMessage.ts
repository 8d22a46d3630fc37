import type { Patch } from '../store/immer.ts'

/**
 * A message of a stream. `entity` is a name in the `types` of `connect`. Every message has an id, in the order of the
 * stream; with server-sent events it is the id of the event.
 *
 * @example
 * const message: PushMessage = { id: '7', type: 'upsert', entity: 'Todo', value: { id: 1, done: true } }
 */
export type PushMessage = { readonly id?: string } & (
  | { readonly type: 'upsert'; readonly entity: string; readonly value: object }
  | { readonly type: 'remove'; readonly entity: string; readonly pk: string | number }
  /** Reads whose key starts with `key`, or that show the entity, are fetched again. */
  | { readonly type: 'invalidate'; readonly key: string }
  | { readonly type: 'invalidate'; readonly entity: string; readonly pk: string | number }
  | { readonly type: 'patches'; readonly patches: readonly Patch[] }
  /** The client's last id is not known: everything on screen is fetched again. */
  | { readonly type: 'reset' }
  /** The connection is there. With `every`, the next message comes within that many milliseconds. */
  | { readonly type: 'ping'; readonly every?: number }
)
