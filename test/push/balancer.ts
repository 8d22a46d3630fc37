import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes requests on to one of several servers, at random, and can cut the connections of its clients. */
export class Balancer {
  readonly #targets: readonly number[]
  readonly #pages: ReadonlyMap<string, string>
  readonly #server: Server
  readonly #open = new Set<ServerResponse>()
  port = 0

  constructor(targets: readonly number[], pages: ReadonlyMap<string, string>) {
    this.#targets = targets
    this.#pages = pages
    this.#server = createServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Cuts every connection with this chance, in the middle of whatever it is doing. */
  cut(chance: number): number {
    const chosen = [...this.#open].filter(() => Math.random() < chance)
    for (const response of chosen) response.destroy()
    return chosen.length
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/', method, headers } = request
    const page = this.#pages.get(url)
    if (page !== undefined) return void response.writeHead(200, { 'content-type': url.endsWith('.js') ? 'text/javascript' : 'text/html' }).end(page)
    this.#open.add(response)
    const port = this.#targets[Math.floor(Math.random() * this.#targets.length)]!
    const passed = send({ port, host: '127.0.0.1', path: url, method, headers, agent: false }, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => {
      this.#open.delete(response)
      passed.destroy()
    })
    request.pipe(passed)
  }
}
