import { Buffer } from './buffer.mjs'

globalThis.Buffer ??= Buffer

/** As much of `node:http` as the demo's server needs: the handler of requests. */
export const createServer = (handle) => ({ handle })

/** Answers a request with the handler of a server. */
export function fetchFrom(server, request) {
  return new Promise((resolve, reject) => {
    const end = (settle) => {
      response.destroyed = true
      settle()
    }
    const response = {
      destroyed: false,
      socket: { destroy: () => end(() => reject(new TypeError('Failed to fetch'))) },
      destroy: () => end(() => reject(new TypeError('Failed to fetch'))),
      writeHead(status, headers) {
        Object.assign(response, { status, headers })
        return response
      },
      end: (body) => end(() => resolve(new Response(response.status === 204 ? null : (body ?? ''), { status: response.status, headers: response.headers }))),
    }
    const { pathname, search } = new URL(request.url)
    const incoming = {
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      async *[Symbol.asyncIterator]() {
        yield await request.text()
      },
    }
    request.signal.addEventListener('abort', () => end(() => reject(request.signal.reason)))
    server.handle(incoming, response)
  })
}
