import * as assert from 'uvu/assert'
import type { Transport } from '../../../src/index.ts'
import { until } from '../../support/waiting.ts'

export { until }

interface Waiting { readonly url: string; readonly method: string; answer(body: unknown, status?: number): void }

/** A network in the hands of the test: requests wait until they are answered, in whatever order. */
export class Wire {
  /** All requests ever sent, oldest first, as `METHOD url`. */
  readonly sent: string[] = []
  /** Those that were aborted. */
  readonly aborted: string[] = []
  #waiting: Waiting[] = []

  readonly fetch: Transport = (url, init) => {
    const method = init?.method ?? 'GET'
    this.sent.push(`${method} ${url}`)
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => {
        this.aborted.push(`${method} ${url}`)
        reject(init.signal!.reason as Error)
      })
      this.#waiting.push({
        url,
        method,
        answer: (body, status = 200) =>
          resolve(new Response(status === 204 ? null : JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })),
      })
    })
  }

  get pending(): number {
    return this.#waiting.length
  }

  /** Answers the oldest request that waits for `url`. Requests go out a moment after they were asked for. */
  async answer(url: string, body: unknown, status?: number): Promise<void> {
    await until(() => this.#waiting.some(each => each.url === url), `a request for ${url}; sent were ${this.sent.join(', ') || 'none'}`)
    const index = this.#waiting.findIndex(each => each.url === url)
    this.#waiting.splice(index, 1)[0]!.answer(body, status)
  }
}

/** Waits until `read` gives this text; fails with the text that it gives instead. */
export async function shows(read: () => string, text: string): Promise<void> {
  await until(() => read() === text).catch(() => assert.is(read(), text))
}

/** Long enough for everything that needs no answer to have happened. */
export function quiet(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 15))
}
