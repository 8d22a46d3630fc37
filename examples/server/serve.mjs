import { createServer } from 'node:http'
import { answer } from './api.mjs'
import { createData } from './data.mjs'
import { answerOver, Networks, sendJson } from './network.mjs'

/**
 * One server for everything: the pages, the REST interface below `/api`, and below `/control` the network settings of
 * the tab that asks. `pages` maps a path to `{ type, body }`.
 */
export function createDemoServer(pages = new Map()) {
  let data = createData()
  const networks = new Networks()
  return createServer(async (request, response) => {
    try {
      const { method, url } = request
      const tab = request.headers['x-tab']
      if (url.startsWith('/api/')) {
        const sent = await readJson(request)
        return await answerOver(() => networks.of(tab), () => answer(data, method, url.slice(4), sent), response)
      }
      if (url === '/control') {
        if (method === 'PUT') networks.change(tab, await readJson(request))
        return sendJson(response, 200, networks.of(tab))
      }
      if (url === '/control/reset' && method === 'POST') {
        data = createData()
        networks.reset(tab)
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
