import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server at a free port of this machine: its address without a slash at the end, and what ends it. */
export async function listening(server: Server, backlog?: number): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', backlog, resolve))
  const close = (): Promise<void> =>
    new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** An address where nobody listens any more. */
export async function deserted(): Promise<string> {
  const { url, close } = await listening(createServer())
  await close()
  return url
}
