/** A client that has not read this much is too slow: it is disconnected, and comes back when it can. */
const BUFFER_LIMIT = 1_000_000

/** Answers a request with the stream, as server-sent events. `every` is the interval of pings, in milliseconds. */
export async function sendEvents(stream, request, response, { every = 15_000 } = {}) {
  const { searchParams } = new URL(request.url, 'http://localhost')
  const lastId = searchParams.get('lastEventId') ?? request.headers['last-event-id']
  const ping = () => response.write(`data: {"type":"ping","every":${every}}\n\n`)
  const send = entry => {
    // One text for all connections.
    entry.event ??= `id: ${entry.id}\ndata: ${entry.text}\n\n`
    response.write(entry.event)
    if (response.writableLength > BUFFER_LIMIT) response.destroy()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
  let stop = () => {}
  const timer = setInterval(ping, every)
  const end = () => {
    clearInterval(timer)
    stop()
  }
  response.on('close', end)
  try {
    stop = await stream.follow(lastId, send)
    ping()
    if (response.destroyed) end()
  } catch {
    // The stream cannot be read now: the client tries again.
    response.destroy()
  }
}
