import { DataProvider } from 'patchcord/solid'
import html from 'solid-js/html'
import { render } from 'solid-js/web'
import { controller } from '../tracker/session.ts'
import { App } from './App.ts'

render(() => html`<${DataProvider} controller=${controller}><${App} /><//>`, document.body)
