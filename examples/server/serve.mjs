import { createServer } from 'node:http'
import { sendEvents } from '../push/events.mjs'
import { createMemoryStream } from '../push/memoryStream.mjs'
import { answer } from './api.mjs'
import { createData } from './data.mjs'
import { answerOver, Networks, sendJson } from './network.mjs'

/**
 * One server for everything: the pages, the REST interface below `/api`, its changes at `/stream`, and below `/control`
 * the network settings of the tab that asks. `pages` maps a path to `{ type, body }`.
 */
export function createDemoServer(pages = new Map()) {
  let data = createData()
  const networks = new Networks()
  const stream = createMemoryStream()
  /** Answers by `Idempotency-Key`: a call that is sent again is not done again. */
  const answers = new Map()
  const change = (key, work) => {
    const found = answers.get(key) ?? work()
    if (key) answers.set(key, found)
    return found
  }
  return createServer(async (request, response) => {
    try {
      const { method, url } = request
      const tab = request.headers['x-tab']
      if (url.startsWith('/api/')) {
        const sent = await readJson(request)
        const work = () => {
          const { message, ...found } = answer(data, method, url.slice(4), sent)
          // After the answer: whoever shows a new issue already must not get it a second time under its number.
          if (message) response.once('close', () => stream.add(message))
          return found
        }
        return await answerOver(() => networks.of(tab), () => change(request.headers['idempotency-key'], work), response)
      }
      if (url.startsWith('/stream')) return await sendEvents(stream, request, response)
      if (url === '/control') {
        if (method === 'PUT') networks.change(tab, await readJson(request))
        return sendJson(response, 200, networks.of(tab))
      }
      if (url === '/control/reset' && method === 'POST') {
        data = createData()
        answers.clear()
        networks.reset(tab)
        await stream.add({ type: 'reset' })
        return sendJson(response, 200, networks.of(tab))
      }
      const page = pages.get(url.split('?', 1)[0])
      if (!page) return sendJson(response, 404, { message: `There is nothing at ${url}.` })
      response.writeHead(200, { 'content-type': page.type, 'cache-control': 'no-cache' }).end(page.body)
    } catch (error) {
      sendJson(response, error instanceof SyntaxError ? 400 : 500, { message: error.message })
    }
  })
}

async function readJson(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}
