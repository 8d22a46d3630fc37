export { connect } from './connect.ts'
export type { ConnectOptions, PushConnection, PushEvents, PushSource, PushStatus } from './connect.ts'
export type { PushMessage } from './PushMessage.ts'
