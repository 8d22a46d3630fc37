/**
 * What is needed of a `BroadcastChannel`.
 *
 * @example
 * const channel: Channel = new BroadcastChannel('todos')
 * channel.close()
 */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}
