// A page that mounts and unmounts five hundred rows with elements, by either binding. Driven from outside, where the heap is measured.
import { useComputed } from '@preact/signals'
import { h, type ComponentChild } from 'preact'
import type { JSX } from 'solid-js'
import { insert, template } from 'solid-js/web'
import * as preact from '../../../bindings/preact/index.ts'
import * as solid from '../../../bindings/solid/index.ts'
import { Controller } from '../../../src/index.ts'
import { mountPreact } from './preactFramework.ts'
import { each, mountSolid } from './solidFramework.ts'
import * as todos from './todo.ts'
import { rowsOf, Todo } from './todo.ts'
import { until } from './wire.ts'

// There is no server to ask when they expire.
const [get, getList] = [todos.get.extend({ dataExpiryLength: Infinity }), todos.getList.extend({ dataExpiryLength: Infinity })]
const controller = new Controller()
controller.setResponse(getList, rowsOf(500))

const item = template('<li></li>') as () => Element
const polled = get.extend({ pollFrequency: 1e9 })

function SolidList(): JSX.Element {
  return each(solid.useSuspense(getList), todo => {
    const element = item()
    insert(element, () => todo.title)
    return element
  })
}

function PreactRow({ id }: { id: string }): ComponentChild {
  const todo = preact.useQuerySignal(Todo, { id })
  const title = useComputed(() => todo.value?.title)
  // All hooks in some rows, so that this does not take a minute.
  if (Number(id) % 50 > 0) return h('li', null, title)
  preact.useSubscription(polled, { id })
  const all = [preact.useSuspense(get, { id }), preact.useDLE(get, { id }).data, preact.useQuery(Todo, { id })]
  return h('li', null, title, new Set(all).size)
}
const PreactList = (): ComponentChild => preact.useSuspense(getList).map(({ id }) => h(PreactRow, { key: id, id }))

const retained: (() => void)[] = []

const page = {
  /** Mounts, changes one row and unmounts, so many times; with `keep` the rows stay mounted, in a container outside of the page. */
  async cycles(binding: string, count: number, keep: boolean): Promise<void> {
    for (let turn = 0; turn < count; turn++) {
      const { page, unmount } = binding === 'solid' ? mountSolid(controller, SolidList) : mountPreact(controller, PreactList)
      if (!keep) document.body.append(page)
      const title = `${binding} ${turn} ${keep}`
      // No `set`: the history would keep it, as it should.
      controller.setResponse(get, { id: '3' }, { id: '3', title })
      await until(() => page.children[3]?.textContent === title)
      if (page.children.length !== 500) throw new Error(`${page.children.length} rows`)
      if (keep) retained.push(unmount)
      else {
        unmount()
        page.remove()
      }
    }
  },
}

Object.assign(window, { page })
export type HeapPage = typeof page
