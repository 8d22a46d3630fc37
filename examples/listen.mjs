import { once } from 'node:events'

/**
 * Listens on the port it is given or on the next one that is free, and says when it had to move on.
 * Resolves with the port.
 */
export async function listen(server, wanted, say = console.log) {
  const last = Math.min(wanted + 20, 65_535)
  for (let port = wanted; ; port++) {
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return server.address().port
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port >= last) throw error
      say(`Port ${port} is taken; trying ${port + 1}.`)
    }
  }
}

/** The port in the environment, or 3210. */
export function wantedPort(env = process.env) {
  const text = env.PORT ?? '3210'
  const port = Number(text)
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`PORT is '${text}', which is no port. Give a number from 0 to 65535, or leave it out.`)
  }
  return port
}
