import { setTimeout as wait } from 'node:timers/promises'

/** What a bad network may do to a request; the page can turn each of it up. */
export const fair = { latency: 150, failure: 0, reorder: false, hold: false, down: false }

/**
 * Answers under a weather. A request takes its time to arrive, and its answer to come back: so an answer may be older
 * than one that overtook it. Nothing arrives while everything is held.
 */
export async function answerUnder(now, work, response, random = Math.random) {
  const { latency, failure, reorder, down } = now()
  if (down) return response.socket?.destroy()
  const travel = () => wait(reorder ? random() * (latency + 400) : latency / 2)
  await travel()
  while (now().hold && !response.destroyed) await wait(20)
  // Given up on the way, so it never arrived.
  if (response.destroyed) return undefined
  const { status, body } = random() < failure ? { status: 503, body: { message: 'The server is having a bad day.' } } : work()
  await travel()
  return sendJson(response, status, body)
}

export function sendJson(response, status, body) {
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** A weather with what of `change` makes sense. */
export function changed(weather, change) {
  const next = { ...weather }
  if (change.latency >= 0) next.latency = Math.min(5000, Number(change.latency))
  if (change.failure >= 0) next.failure = Math.min(1, Number(change.failure))
  for (const name of ['reorder', 'hold', 'down']) if (typeof change[name] === 'boolean') next[name] = change[name]
  return next
}
