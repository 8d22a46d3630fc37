// A page of Solid on a server.
import { createComponent } from 'solid-js'
import { generateHydrationScript, isServer, renderToStream, renderToString, renderToStringAsync } from 'solid-js/web'
import { dehydrate, renderState } from '../../../src/index.ts'
import { App, type AppProps } from './solidApp.ts'
import { makeController, writeHead, type Answer } from './todos.ts'

if (!isServer) throw new Error('This is not the server build of Solid.')

export const answer: Answer = async (response, origin, query) => {
  const controller = await makeController(origin, query)
  const props = {
    above: query.has('above'),
    count: query.has('count'),
    note: query.has('note'),
    fleeting: (query.get('fleeting') ?? undefined) as AppProps['fleeting'],
    id: query.get('id') ?? undefined,
  }
  const app = (): unknown => createComponent(App, { controller, ...props })
  const end = (): string => renderState(dehydrate(controller))
  writeHead(response, query, `${generateHydrationScript()}<script>window.props = ${JSON.stringify(props)}</script>`)
  if (query.get('mode') === 'stream') {
    await new Promise<void>(resolve => {
      renderToStream(app, {
        onCompleteShell: ({ write }) => write('</div>'),
        onCompleteAll({ write }) {
          write(end())
          resolve()
        },
      }).pipe(response)
    })
  } else {
    const html = query.get('mode') === 'string' ? renderToString(app) : await renderToStringAsync(app)
    response.end(`${html}</div>${end()}`)
  }
  controller.dispose()
}
