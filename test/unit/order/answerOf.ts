import type { AnyEndpoint } from '../../../src/index.ts'
import type { Answer } from '../../../src/order/answer.ts'

/** What an endpoint has answered. */
export function answerOf(endpoint: AnyEndpoint, args: readonly unknown[], value: unknown): Answer {
  const { schema, sideEffect, update } = endpoint
  return {
    schema,
    value,
    args,
    key: sideEffect ? undefined : endpoint.key(...args),
    expiresAt: 1000,
    update: update && (result => endpoint.update!(result, ...args)),
  }
}
