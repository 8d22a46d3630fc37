/**
 * What is needed of a `BroadcastChannel`.
 *
 * @example
 * const channel: Channel = new BroadcastChannel('todos')
 * channel.close()
 */
export interface Channel {
  postMessage(message: unknown): void
  /** Is set to a function that takes an event with `data`, a message of another tab. */
  onmessage: ((event: never) => void) | null
  /** After this no event may come. */
  close(): void
}
