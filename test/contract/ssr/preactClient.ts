import { h, hydrate } from 'preact'
import { App } from './preactApp.ts'
import { startClient } from './startClient.ts'

hydrate(h(App, { controller: startClient(), id: new URLSearchParams(location.search).get('id') ?? undefined }), document.getElementById('app')!)
