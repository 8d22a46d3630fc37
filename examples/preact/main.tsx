import { DataProvider } from 'patchcord/preact'
import { render } from 'preact'
import { controller } from '../tracker/session.ts'
import { App } from './App.tsx'

render(
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
  document.body,
)
