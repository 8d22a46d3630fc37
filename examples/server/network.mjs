import { setTimeout as wait } from 'node:timers/promises'

/** What a bad network may do to requests. Each tab has its own settings. */
const defaults = { latency: 150, failure: 0, reorder: false, hold: false, down: false }

/** The network settings of every tab that changed them, so that no visitor meets the settings of another. */
export class Networks {
  #tabs = new Map()

  of(tab) {
    return this.#tabs.get(tab) ?? defaults
  }

  /** Takes what makes sense of `change`. */
  change(tab, change) {
    const next = { ...this.of(tab) }
    if (change.latency >= 0) next.latency = Math.min(5000, Number(change.latency))
    if (change.failure >= 0) next.failure = Math.min(1, Number(change.failure))
    for (const name of ['reorder', 'hold', 'down']) if (typeof change[name] === 'boolean') next[name] = change[name]
    this.#tabs.set(tab, next)
  }

  reset(tab) {
    this.#tabs.delete(tab)
  }
}

/**
 * Answers over a bad network. A request needs time to arrive, and its answer to return, so an answer may be older than
 * one that overtook it. While the tab holds its requests, none of them arrives.
 */
export async function answerOver(settings, work, response, random = Math.random) {
  const { latency, failure, reorder, down } = settings()
  if (down) return response.socket?.destroy()
  const travel = () => wait(reorder ? random() * (latency + 400) : latency / 2)
  await travel()
  while (settings().hold && !response.destroyed) await wait(20)
  // The page gave up before the request arrived.
  if (response.destroyed) return undefined
  const { status, body } = random() < failure ? { status: 503, body: { message: 'The server is having a bad day.' } } : work()
  await travel()
  return sendJson(response, status, body)
}

export function sendJson(response, status, body) {
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
