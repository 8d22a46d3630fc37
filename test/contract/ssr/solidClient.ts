import { createComponent } from 'solid-js'
import { hydrate } from 'solid-js/web'
import { App, type AppProps } from './solidApp.ts'
import { startClient } from './startClient.ts'

const { props } = window as unknown as { props: Omit<AppProps, 'controller'> }
const controller = startClient()
hydrate(() => createComponent(App, { controller, ...props }), document.getElementById('app')!)
