import { h, render as renderPreact, type ComponentChild, type ComponentType } from 'preact'
import { createComponent, mergeProps, type JSX } from 'solid-js'
import { render as renderSolid } from 'solid-js/web'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mountPreact } from '../bindings/preactFramework.ts'
import { element } from '../bindings/solidElement.ts'
import { mountSolid } from '../bindings/solidFramework.ts'
import { compileSolid } from '../bindings/solidJsx.ts'
import { until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { written } from '../../house/compiler.ts'
import { readDoors } from '../../house/doors.ts'
import { projectRoot } from '../../house/sources.ts'
import { modules, transpile } from './compiling.ts'
import { makeController, network, TodoResource, UserResource } from './prelude.ts'
import { importsOf, programs, type Program } from './programs.ts'

/**
 * The examples of the bindings' JSDoc, rendered below a provider, with every button pressed. An example is the body of a
 * component, declares one, or renders a page by itself.
 */
const test = suite('examples of the JSDoc, rendered')
withDom(test)

/** What each shows, in Solid and in Preact. */
const shows: Readonly<Record<string, string>> = {
  DataProvider: 'the app',
  DataProviderProps: 'the app',
  useCache: 'log in',
  useCacheSignal: 'nobody',
  useController: 'Save',
  useDLE: '1 things to do',
  useFetch: 'all todos',
  useHistory: 'Undo',
  useLive: '1.1',
  useLoading: 'Add',
  useQuery: 'bob@example.com',
  useQuerySignal: 'sow',
  useSubscription: '1.1',
  useSuspense: 'sow',
  useSuspenseSignal: 'sow',
  'patchcord/solid DLE': 'Again',
  'patchcord/preact DLE': '1',
  HistoryAccessors: '',
  Reading: 'sow',
}

/** What pressing the button of one asks the server for. */
const asks: Readonly<Record<string, string>> = { useController: 'PUT /todos/1', useLoading: 'POST /todos', 'patchcord/solid DLE': 'GET /todos' }

type Component = (props: object) => unknown
/** Gives the component that an example is, from the controller, the page, the components it takes for granted, and `render`. */
type Make = (controller: unknown, document: unknown, App: Component, Login: Component, Todos: Component, render: (node: unknown) => void) => Component | undefined

const types = Object.values(readDoors(projectRoot)).flatMap(door => door.types)
const given = ['controller', 'document', 'App', 'Login', 'Todos', 'render']

function sourceOf(program: Program): string {
  const { code } = program
  const declared = /^function (\w+)/m.exec(code)?.[1]
  const isComponent = !/^render\(/m.test(code)
  const body = declared ? `${code}\nreturn ${declared}` : isComponent ? `return function Example() {\n${code}\n}` : code
  const parameters = given.map(name => `${name}: any`).join(', ')
  return `${importsOf(program, modules, [...given, ...types])}\nexport default function (${parameters}) {\n{\n${body}\n}\n}\n`
}

async function load(program: Program): Promise<Make> {
  const source = sourceOf(program)
  const code = program.door === 'patchcord/solid' ? compileSolid(source) : transpile(source, { fileName: 'page.tsx' })
  return ((await import(written(`docs/rendered/${program.file}-${process.pid}.mjs`, code))) as { default: Make }).default
}

const { fetch: platform } = globalThis
test.before(() => void Object.assign(globalThis, { createComponent, mergeProps, element }))
test.after.each(() => void (globalThis.fetch = platform))

for (const program of programs.filter(({ isPage, code }) => isPage && !/^type /.test(code))) {
  const { door, name } = program
  const find = (table: Readonly<Record<string, string>>): string | undefined => table[`${door} ${name}`] ?? table[name.replace(/^create/, 'use')]
  test(`${door} ${name}`, async () => {
    const make = await load(program)
    const isSolid = door === 'patchcord/solid'
    const asked = network()
    globalThis.fetch = asked as typeof fetch
    const controller = makeController(asked)
    await controller.fetch(UserResource.get, { id: 1 })
    const [todo] = await controller.fetch(TodoResource.getList)
    const page = document.createElement('div')
    let unmount = (): void => {}
    const render = (node: unknown): void => {
      unmount = isSolid ? renderSolid(node as () => JSX.Element, page) : (renderPreact(node as ComponentChild, page), () => renderPreact(null, page))
    }
    const says = (text: string) => (): string => text
    const Example = make(controller, { body: page }, says('the app'), says('log in'), says('all todos'), render)
    const props = { id: 1, todo }
    const screen = !Example
      ? { page, text: () => page.textContent ?? '', unmount }
      : isSolid
        ? mountSolid(controller, () => createComponent(Example as () => JSX.Element, props))
        : mountPreact(controller, () => h(Example as ComponentType<object>, props))
    const isVisible = (): Promise<void> => until(() => screen.text() === find(shows)).catch(() => assert.is(screen.text(), find(shows)))
    try {
      await isVisible()
      const before = asked.calls.length
      for (const button of screen.page.querySelectorAll('button')) button.click()
      const wanted = find(asks)
      if (wanted) await until(() => asked.calls.slice(before).some(({ method, url }) => `${method} ${url}` === wanted), wanted)
      await isVisible()
    } finally {
      screen.unmount()
      controller.dispose()
    }
  })
}

test.run()
