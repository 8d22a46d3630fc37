export { outbox } from './outbox.ts'
export type { Outbox, OutboxOptions, RejectedCall } from './outbox.ts'
