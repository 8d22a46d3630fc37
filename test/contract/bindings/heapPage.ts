// A page that mounts and unmounts five hundred rows with elements, by either binding. Driven from outside, where the heap is measured.
import { h, render as renderPreact, type ComponentChild } from 'preact'
import { createComponent, For, type JSX } from 'solid-js'
import { insert, render as renderSolid, template } from 'solid-js/web'
import * as preact from '../../../bindings/preact/index.ts'
import * as solid from '../../../bindings/solid/index.ts'
import { Controller, createResource, Entity } from '../../../src/index.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}
const { get, getList } = createResource({ path: '/todos/:id', schema: Todo })

const controller = new Controller()
controller.setResponse(getList, Array.from({ length: 500 }, (_, id) => ({ id: String(id), title: `title ${id}` })))

type Mount = (root: HTMLElement) => () => void
const item = template('<li></li>') as () => Element

function SolidList(): JSX.Element {
  const todos = solid.useSuspense(getList)
  return createComponent(For, {
    get each() {
      return todos()
    },
    children: (todo: Todo) => {
      const element = item()
      insert(element, () => todo.title)
      return element
    },
  })
}

const PreactRow = ({ id }: { id: string }): ComponentChild => h('li', null, preact.useQuery(Todo, { id })?.title)
const PreactList = (): ComponentChild => preact.useSuspense(getList).map(({ id }) => h(PreactRow, { key: id, id }))

const mounts: { [binding: string]: Mount } = {
  solid: root =>
    renderSolid(
      () =>
        createComponent(solid.DataProvider, {
          controller,
          get children() {
            return createComponent(SolidList, {})
          },
        }),
      root,
    ),
  preact: root => {
    renderPreact(h(preact.DataProvider, { controller }, h(PreactList, {})), root)
    return () => renderPreact(null, root)
  },
}

const retained: (() => void)[] = []

const page = {
  /** Mounts, changes one row and unmounts, so many times; with `keep` the rows stay mounted, in a container outside of the page. */
  async cycles(binding: string, count: number, keep: boolean): Promise<void> {
    for (let turn = 0; turn < count; turn++) {
      const root = document.createElement('ul')
      if (!keep) document.body.append(root)
      const unmount = mounts[binding]!(root)
      const title = `${binding} ${turn} ${keep}`
      // No `set`: the history would keep it, as it should.
      controller.setResponse(get, { id: '3' }, { id: '3', title })
      await until(() => root.children[3]?.textContent === title)
      if (root.children.length !== 500) throw new Error(`${root.children.length} rows`)
      if (keep) retained.push(unmount)
      else {
        unmount()
        root.remove()
      }
    }
  },
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve))
}

Object.assign(window, { page })
export type HeapPage = typeof page
