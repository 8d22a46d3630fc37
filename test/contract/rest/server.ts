import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listening } from '../../support/listening.ts'

/** A request as the server saw it. */
export interface Seen { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }

/** What a handler gives to be sent as JSON; undefined when it has answered by itself. */
export type Answer = unknown

/** A real server on this machine. */
export interface Server {
  readonly url: string
  /** Every request so far. */
  readonly seen: Seen[]
  /** The last one. */
  last(): Seen
  /** What the next requests get. */
  answer: (request: Seen, response: ServerResponse) => Answer
  close(): Promise<void>
}

/** Starts one; the handler may be replaced in each test. */
export async function serve(answer: Server['answer'] = () => ({})): Promise<Server> {
  const seen: Seen[] = []
  const http = createServer((incoming, response) => {
    let body = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => (body += chunk))
    incoming.on('error', () => {})
    incoming.on('end', () => {
      const request = { method: incoming.method!, url: incoming.url!, headers: incoming.headers, body }
      seen.push(request)
      const value = server.answer(request, response)
      if (value === undefined || response.headersSent) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    })
  })
  const server: Server = { ...(await listening(http)), seen, last: () => seen.at(-1)!, answer }
  return server
}
