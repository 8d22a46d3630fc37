/**
 * A stream in this process, for one server. It keeps the last `limit` messages.
 *
 * A stream has two methods:
 * - `add(message)` appends a message and resolves with its id.
 * - `follow(lastId, send)` calls `send({ id, text })` for each message after `lastId`, now and from now on, until the
 *   returned function is called. `text` is the message as JSON. If it no longer has `lastId`, it sends a `reset` first.
 */
export function createMemoryStream({ limit = 10_000 } = {}) {
  // Another process has other ids, so that a client that comes from there starts over.
  const epoch = Date.now().toString(36)
  const entries = []
  const followers = new Set()
  let removed = 0
  const idOf = count => `${epoch}-${count}`
  return {
    async add(message) {
      const entry = { id: idOf(removed + entries.length + 1), text: JSON.stringify(message) }
      entries.push(entry)
      if (entries.length > limit) {
        entries.shift()
        removed++
      }
      for (const send of [...followers]) send(entry)
      return entry.id
    },
    async follow(lastId, send) {
      const known = [...Array(entries.length + 1).keys()].findLast(count => idOf(removed + count) === lastId)
      if (known === undefined) send({ id: idOf(removed + entries.length), text: '{"type":"reset"}' })
      else for (const entry of entries.slice(known)) send(entry)
      followers.add(send)
      return () => void followers.delete(send)
    },
  }
}
