import { h, hydrate as hydratePage } from 'preact'
import { Controller, hydrate } from '../../../src/index.ts'
import type { Client } from './browsing.ts'
import { App, Todo, TodoResource } from './preactApp.ts'

const page = window as unknown as Client
const controller = new Controller({ retry: false })
const state = document.getElementById('patchcord')
if (state) hydrate(controller, state.textContent)
page.before = [...document.querySelectorAll('#app *')]
page.rename = title => controller.set(Todo, { id: '1' }, { id: '1', title })
page.invalidate = () => controller.invalidate(TodoResource.getList)
hydratePage(h(App, { controller, id: new URLSearchParams(location.search).get('id') ?? undefined }), document.getElementById('app')!)
