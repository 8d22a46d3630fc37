import { DataProvider } from 'patchcord/solid'
import html from 'solid-js/html'
import { render } from 'solid-js/web'
import { controller, ready } from '../tracker/session.ts'
import { App } from './App.ts'

await ready
render(() => html`<${DataProvider} controller=${controller}><${App} /><//>`, document.body)
