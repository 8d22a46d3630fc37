import { createComponent } from 'solid-js'
import { hydrate as hydratePage } from 'solid-js/web'
import { Controller, hydrate } from '../../../src/index.ts'
import { App, TodoResource, type AppProps } from './solidApp.ts'

interface Page {
  props: Omit<AppProps, 'controller'>
  before: Element[]
  rename(title: string): void
  invalidate(): void
}

const page = window as unknown as Page
const controller = new Controller({ retry: false })
const state = document.getElementById('patchcord')
if (state) hydrate(controller, state.textContent)
page.before = [...document.querySelectorAll('#app *')]
page.rename = title => controller.set(TodoResource.get.schema, { id: '1' }, { id: '1', title })
page.invalidate = () => controller.invalidate(TodoResource.getList)
hydratePage(() => createComponent(App, { controller, ...page.props }), document.getElementById('app')!)
