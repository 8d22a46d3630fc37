/**
 * What is needed of `navigator.locks`.
 *
 * @example
 * // For a program that has no other tabs.
 * const locks: Locks = { request: async (name, options, work) => work({ name }) }
 */
export interface Locks {
  request(name: string, options: { readonly mode?: 'exclusive' | 'shared'; readonly ifAvailable?: boolean; readonly signal?: AbortSignal }, work: (lock: unknown) => unknown): Promise<unknown>
}

/**
 * The locks of the platform, where it has them.
 *
 * @example
 * const hasLocks = systemLocks() !== undefined
 */
export function systemLocks(): Locks | undefined {
  return (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks
}
