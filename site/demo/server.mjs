// The server of the demo, in the page: the demo of the site needs no other one. A reload starts it anew.
import { createDemoServer } from '../../examples/server/serve.mjs'
import { QuietEvents } from '../play/QuietEvents.mjs'
import { fetchFrom } from './http.mjs'

const server = createDemoServer()
const platform = globalThis.fetch

globalThis.fetch = (input, init) => {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/api/') || pathname.startsWith('/control') ? fetchFrom(server, request) : platform(input, init)
}

// There are no other visitors of this server.
globalThis.EventSource = QuietEvents
