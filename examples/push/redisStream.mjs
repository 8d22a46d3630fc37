/**
 * A stream in Redis, for any number of server processes. The interface is that of `createMemoryStream`.
 *
 * Each process has one connection that waits for new entries and passes them to all of its clients. A client that
 * connects first gets the entries after its last id, from Redis. The rule for both: as long as the last entry that
 * somebody has seen is still in the stream, nothing after it was lost. Otherwise it gets a `reset`.
 */
export async function createRedisStream(client, { key = 'stream', limit = 10_000 } = {}) {
  const reader = await client.duplicate().on('error', () => {}).connect()
  const followers = new Set()
  const ending = new AbortController()

  /** What follows `id`; undefined when something may be missing. */
  const entriesAfter = async id => {
    const [first, ...rest] = isId(id) ? await client.xRange(key, id, '+') : []
    return first?.id === id ? rest.map(toEntry) : undefined
  }
  const lastIn = async () => (await client.xRevRange(key, '+', '-', { COUNT: 1 }))[0]?.id ?? '0-0'

  let lastId
  // Redis can be away when the server starts, too.
  while (lastId === undefined) lastId = await lastIn().catch(() => pause())
  const publish = entry => {
    lastId = entry.id
    for (const follower of [...followers]) follower(entry)
  }
  const tail = async () => {
    while (!ending.signal.aborted) {
      try {
        await reader.xRead({ key, id: lastId }, { BLOCK: 1000, COUNT: 1 })
        const entries = await entriesAfter(lastId)
        if (entries) entries.forEach(publish)
        else if ((await lastIn()) !== lastId) publish({ id: await lastIn(), text: '{"type":"reset"}' })
      } catch {
        // Redis is away. The clients keep their connections; what they miss is read when it is back.
        await pause()
      }
    }
  }
  void tail()

  return {
    add: message => client.xAdd(key, '*', { message: JSON.stringify(message) }, { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: limit } }),
    async follow(from, send) {
      // Until its past is read, what is new waits.
      let waiting = []
      const follower = entry => (waiting ? waiting.push(entry) : send(entry))
      followers.add(follower)
      try {
        const past = (await entriesAfter(from)) ?? [{ id: await lastIn(), text: '{"type":"reset"}' }]
        past.forEach(send)
        const seen = past.at(-1)?.id ?? from
        for (const entry of waiting) if (isLater(entry.id, seen)) send(entry)
        waiting = undefined
      } catch (error) {
        followers.delete(follower)
        throw error
      }
      return () => void followers.delete(follower)
    },
    async close() {
      ending.abort()
      reader.destroy()
    },
  }
}

const pause = () => new Promise(resolve => setTimeout(resolve, 100))
const toEntry = ({ id, message }) => ({ id, text: message.message })
const isId = id => /^\d+-\d+$/.test(id ?? '')

/** Ids are two numbers: milliseconds, and a count within them. */
function isLater(a, b) {
  const [timeA, countA] = a.split('-').map(Number)
  const [timeB, countB] = b.split('-').map(Number)
  return timeA > timeB || (timeA === timeB && countA > countB)
}
