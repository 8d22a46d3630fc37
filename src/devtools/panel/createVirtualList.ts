import { fill, h, note } from './dom.ts'

/** How tall a row is, in pixels. */
const ROW = 26

/** A list of which only the rows in sight are in the page. */
export interface VirtualList<T> {
  readonly element: HTMLElement
  /** Shows these items. What is in sight stays there when others arrive above it. */
  show(items: readonly T[], chosen: unknown, empty: string): void
}

/** Makes a list. The arrow keys and a click choose a row. */
export function createVirtualList<T>(label: string, keyOf: (item: T) => unknown, render: (item: T) => readonly (Node | string)[], choose: (item: T) => void): VirtualList<T> {
  let items: readonly T[] = []
  let chosen: unknown
  let empty = ''
  const indexOf = (key: unknown): number => items.findIndex(item => keyOf(item) === key)

  const draw = (): void => {
    const { scrollTop, clientHeight } = element
    content.style.height = `${items.length * ROW}px`
    const first = Math.max(0, Math.floor(scrollTop / ROW) - 4)
    const rows = items.slice(first, Math.ceil((scrollTop + clientHeight) / ROW) + 4).map((item, i) => {
      const at = first + i
      return h('div.row', { role: 'option', id: `row-${at}`, 'aria-selected': `${keyOf(item) === chosen}`, 'aria-setsize': items.length, 'aria-posinset': at + 1, style: `top:${at * ROW}px`, click: () => pick(at) }, ...render(item))
    })
    element.setAttribute('aria-activedescendant', `row-${indexOf(chosen)}`)
    fill(content, ...(items.length > 0 ? rows : [note(empty)]))
  }

  const pick = (at: number): void => {
    const item = items[at]
    if (item === undefined) return
    chosen = keyOf(item)
    const { scrollTop, clientHeight } = element
    element.scrollTop = Math.max(Math.min(scrollTop, at * ROW), (at + 1) * ROW - clientHeight)
    draw()
    choose(item)
  }

  const keydown = (event: KeyboardEvent): void => {
    const page = Math.floor(element.clientHeight / ROW)
    const last = items.length - 1
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last }[event.key]
    if (step === undefined) return
    event.preventDefault()
    pick(Math.min(last, Math.max(0, indexOf(chosen) + step)))
  }

  const content = h('div.rows')
  const element = h('div.list', { role: 'listbox', tabindex: 0, 'aria-label': label, scroll: draw, keydown }, content)
  new ResizeObserver(draw).observe(element)
  return {
    element,
    show(next, nextChosen, nextEmpty) {
      const { scrollTop } = element
      const at = Math.floor(scrollTop / ROW)
      const top = items[at]
      if (scrollTop > 0 && top !== undefined && next !== items) {
        const now = next.findIndex(item => keyOf(item) === keyOf(top))
        if (now > at) {
          content.style.height = `${next.length * ROW}px`
          element.scrollTop = scrollTop + (now - at) * ROW
        }
      }
      items = next
      chosen = nextChosen
      empty = nextEmpty
      draw()
    },
  }
}
