/**
 * What is needed of a `BroadcastChannel`.
 *
 * @example
 * const channel: Channel = new BroadcastChannel('todos')
 */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}
