import type { ServerResponse } from 'node:http'
import type { KeyedServer } from '../../support/keyedServer.ts'
import { pause } from '../persist/todos.ts'
import type { Seen } from '../rest/server.ts'

/** Does a request as `server` would, and answers it `delay` later. */
export async function answerAs(server: KeyedServer, { method, url, headers, body: text }: Seen, response: ServerResponse, delay = 0): Promise<void> {
  const { status, body } = server.handle(method, url, text === '' ? undefined : JSON.parse(text), headers['idempotency-key'] as string | undefined)
  if (delay > 0) await pause(delay)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
