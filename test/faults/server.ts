import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Entity } from '../../src/index.ts'
import { listening } from '../support/listening.ts'
import { ok, steps, type Step } from './steps.ts'

/** A server on this machine that does to each request what its script says. */
export interface FaultServer {
  readonly url: string
  /** What is to become of the next requests for a name, in order; then they are answered as they should be. */
  readonly scripts: Map<string, Step[]>
  /** What became of every request: `PUT 7`, and the steps that it met. */
  readonly log: Map<string, Step[]>
  /** How many requests there were in all, how many of them met a fault, and how many were cut off before they were answered. */
  readonly counts: { requests: number; faults: number; cut: number }
  close(): Promise<void>
}

export class Item extends Entity {
  id = ''
  text = ''
  static override key = 'Item'
}

/** Requests are for `/items/:name`, or make one by a body with a `name`. */
export async function serveFaults(): Promise<FaultServer> {
  const scripts = new Map<string, Step[]>()
  const log = new Map<string, Step[]>()
  const counts = { requests: 0, faults: 0, cut: 0 }
  const http = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('error', () => {})
    response.on('error', () => {})
    response.on('close', () => {
      if (!response.writableFinished) counts.cut++
    })
    request.on('end', () => answer(request, response, body))
  })

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const sent = body === '' ? {} : (JSON.parse(body) as { name?: string })
    const [, folder, last] = request.url!.split('?')[0]!.split('/')
    const name = sent.name ?? last!
    const exchange = { response, method: request.method!, name, sent }
    if (folder === 'loop') return void response.writeHead(307, { location: `/loop/${name}` }).end()
    if (folder === 'moved') return ok(exchange)
    const step = scripts.get(name)?.shift() ?? 'ok'
    const key = `${request.method} ${name}`
    log.set(key, [...(log.get(key) ?? []), step])
    counts.requests++
    if (step !== 'ok') counts.faults++
    steps[step][0](exchange)
  }

  // Node would end connections that are silent for long, and a fault is to be ended by us alone.
  http.keepAliveTimeout = 60_000
  return { ...(await listening(http, 1024)), scripts, log, counts }
}
