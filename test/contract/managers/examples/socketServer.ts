import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A real WebSocket server, as much of one as it takes to push text. */
export interface SocketServer {
  readonly url: string
  /** Sends to everybody who is connected. */
  push(text: string): void
  /** Settles when somebody has connected, or all have left. */
  connected(count: number): Promise<void>
  close(): Promise<void>
}

export async function serveSocket(): Promise<SocketServer> {
  const sockets = new Set<Socket>()
  const watchers = new Set<() => void>()
  const changed = (): void => watchers.forEach((watcher) => watcher())
  const http = createServer()
  http.on('upgrade', (request, stream) => {
    const socket = stream as Socket
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
    socket.on('error', () => {})
    // The only frame that a client sends here is the one that closes.
    socket.on('data', () => socket.end(Buffer.from([0x88, 0x00])))
    socket.on('close', () => (sockets.delete(socket), changed()))
    sockets.add(socket)
    changed()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    push(text) {
      const payload = Buffer.from(text)
      const header = payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255]
      for (const socket of sockets) socket.write(Buffer.concat([Buffer.from(header), payload]))
    },
    connected: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (sockets.size !== count) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        http.close(() => resolve())
      }),
  }
}
