/**
 * What is needed of a `BroadcastChannel`.
 *
 * @example
 * const channel: Channel = new BroadcastChannel('todos')
 * channel.close()
 */
export interface Channel {
  postMessage(message: unknown): void
  /** Is set to the function that gets the events. */
  onmessage: unknown
  close(): void
}
