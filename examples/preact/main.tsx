import { DataProvider } from 'patchcord/preact'
import { render } from 'preact'
import { controller, ready } from '../tracker/session.ts'
import { App } from './App.tsx'

await ready
render(
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
  document.body,
)
