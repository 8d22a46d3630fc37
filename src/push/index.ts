export { connect } from './connect.ts'
export type { PushConnection } from './connect.ts'
export type { ConnectOptions, PushEvents, PushSource, PushStatus } from './createStream.ts'
export type { PushMessage } from './PushMessage.ts'
