import { createServer } from 'node:http'
import { answer } from './api.mjs'
import { createData } from './data.mjs'
import { answerUnder, changed, fair, sendJson } from './weather.mjs'

/**
 * One server for everything: the pages, the REST interface below `/api`, and below `/control` what the page can do to
 * the weather between them. `pages` maps a path to `{ type, body }`.
 */
export function createDemoServer(pages = new Map()) {
  let data = createData()
  let weather = fair
  return createServer(async (request, response) => {
    try {
      const { method, url } = request
      if (url.startsWith('/api/')) {
        const sent = await readJson(request)
        return await answerUnder(() => weather, () => answer(data, method, url.slice(4), sent), response)
      }
      if (url === '/control') {
        if (method === 'PUT') weather = changed(weather, await readJson(request))
        return sendJson(response, 200, weather)
      }
      if (url === '/control/reset' && method === 'POST') {
        data = createData()
        weather = fair
        return sendJson(response, 200, weather)
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
