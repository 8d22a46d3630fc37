import type { DevtoolsOptions } from '../DevtoolsOptions.ts'
import type { Recording } from '../Recording.ts'
import { createPendingTab } from './createPendingTab.ts'
import { createResourceTimes } from './createResourceTimes.ts'
import { createStoreTab } from './createStoreTab.ts'
import { createTimelineTab } from './createTimelineTab.ts'
import { createTravelBar } from './createTravelBar.ts'
import { createWhyTab } from './createWhyTab.ts'
import { fill, h, iconButton, setIcon } from './dom.ts'
import { PanelModel, type Tab } from './PanelModel.ts'
import { css } from './style.ts'

/** The name of the element, and the key of its layout in the storage. */
const NAME = 'patchcord-devtools'
const SMALLEST = 160

/** How the user left the panel. */
interface PanelLayout {
  isOpen: boolean
  dock: 'bottom' | 'right'
  /** Pixels, for each dock. */
  bottom: number
  right: number
  tab: string
}

export interface Panel {
  open(): void
  close(): void
  dispose(): void
}

/** Adds the panel to the page: a button in its corner, and what it opens. */
export function createPanel(recording: Recording, { open = false, dock = 'bottom', theme, name = 'patchcord', parent = document.body }: DevtoolsOptions): Panel {
  const layout: PanelLayout = { isOpen: open, dock, bottom: 340, right: 460, tab: 'Timeline', ...readLayout() }
  let unsubscribe: (() => void) | undefined
  let frame: number | undefined

  /** While the panel is closed nobody looks, and nothing but the recording costs anything. */
  const listen = (): void => {
    unsubscribe = recording.subscribe(schedule)
    times.start()
    mutations.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    update()
  }

  const leave = (): void => {
    unsubscribe?.()
    times.stop()
    travel.stop()
    mutations.disconnect()
  }

  const schedule = (): void => void (frame ??= requestAnimationFrame(update))

  const update = (): void => {
    frame = undefined
    if (!layout.isOpen) return
    for (const [tab, { count }] of Object.entries(tabs)) fill(buttons[tab]!, tab, count && count() > 0 && h('b', count()))
    tabs[layout.tab]!.update()
    travel.update()
  }

  const applyLayout = (): void => {
    const { isOpen, dock: side, tab } = layout
    launcher.hidden = isOpen
    panel.hidden = !isOpen
    panel.dataset['dock'] = side
    panel.style.setProperty('--size', `${layout[side]}px`)
    setIcon(turn, side === 'bottom' ? 'right' : 'bottom')
    splitter.setAttribute('aria-orientation', side === 'bottom' ? 'horizontal' : 'vertical')
    splitter.setAttribute('aria-valuenow', `${layout[side]}`)
    for (const each of Object.keys(tabs)) {
      buttons[each]!.setAttribute('aria-selected', `${each === tab}`)
      buttons[each]!.tabIndex = each === tab ? 0 : -1
    }
    if (!tabs[tab]!.element.isConnected) fill(body, tabs[tab]!.element)
    makeRoom(isOpen)
    writeLayout(layout)
  }

  /** The page goes on beside the panel. */
  const makeRoom = (isOpen: boolean): void => {
    const { style } = document.documentElement
    style.padding = isOpen ? (layout.dock === 'bottom' ? `0 0 ${layout.bottom}px` : `0 ${layout.right}px 0 0`) : ''
  }

  const goTo = (tab: string): void => {
    layout.tab = tab
    applyLayout()
    update()
  }

  const resize = (size: number): void => {
    layout[layout.dock] = Math.round(Math.min(Math.max(size, SMALLEST), (layout.dock === 'bottom' ? innerHeight : innerWidth) - 40))
    applyLayout()
  }

  const setOpen = (isOpen: boolean): void => {
    if (layout.isOpen === isOpen) return
    layout.isOpen = isOpen
    applyLayout()
    if (isOpen) listen()
    else leave()
    ;(isOpen ? buttons[layout.tab]! : launcher).focus()
  }

  /** The arrow keys move by a step; others do nothing. */
  const byArrows = (step: number, move: (by: number) => void) => ({ key }: KeyboardEvent): void => {
    const by = { ArrowUp: step, ArrowLeft: step, ArrowDown: -step, ArrowRight: -step }[key]
    if (by) move(by)
  }

  const mutations = new MutationObserver(records => recording.noteMutations(records.length))
  const times = createResourceTimes(schedule)
  const model = new PanelModel(recording, tab => (tab ? goTo(tab) : schedule()))
  const tabs: { readonly [name: string]: Tab } = { Timeline: createTimelineTab(model, times), Why: createWhyTab(model), Store: createStoreTab(model), Pending: createPendingTab(model) }
  const names = Object.keys(tabs)
  const buttons = Object.fromEntries(names.map(tab => [tab, h('button', { role: 'tab', click: () => goTo(tab) }, tab)]))
  const travel = createTravelBar(model)
  const turn = iconButton('right', 'Dock below or to the right', () => {
    layout.dock = layout.dock === 'bottom' ? 'right' : 'bottom'
    applyLayout()
  }, 'icon.dock')
  const splitter = h('div.splitter', {
    role: 'separator', tabindex: 0, 'aria-label': 'Size of the panel',
    pointerdown: (event: PointerEvent) => {
      event.preventDefault()
      splitter.setPointerCapture(event.pointerId)
    },
    pointermove: ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (splitter.hasPointerCapture(pointerId)) resize(layout.dock === 'bottom' ? innerHeight - clientY : innerWidth - clientX)
    },
    keydown: byArrows(20, by => resize(layout[layout.dock] + by)),
  })
  const tabList = h('div.names', { role: 'tablist', 'aria-label': 'Views', keydown: byArrows(1, by => {
    goTo(names[(names.indexOf(layout.tab) - by + names.length) % names.length]!)
    buttons[layout.tab]!.focus()
  }) }, ...Object.values(buttons))
  const launcher = iconButton('cord', `Open ${name} devtools`, () => setOpen(true), 'launcher')
  launcher.part.add('launcher')
  const brand = h('span')
  setIcon(brand, 'cord')
  const body = h('div.body', { role: 'tabpanel' })
  const panel = h('section.panel', { 'aria-label': `${name} devtools`, keydown: ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false) },
    splitter, h('header.head', h('span.brand', brand, h('b', name)), tabList, h('span.gap'), turn, iconButton('close', 'Close devtools', () => setOpen(false))), body, travel.element)

  // Defined on first use: a server that imports this has no elements.
  if (!customElements.get(NAME)) customElements.define(NAME, class extends HTMLElement {})
  const host = document.createElement(NAME)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  root.append(launcher, panel)
  if (theme) host.style.colorScheme = theme
  parent.append(host)
  applyLayout()
  if (layout.isOpen) listen()
  return {
    open: () => setOpen(true),
    close: () => setOpen(false),
    dispose() {
      leave()
      host.remove()
      makeRoom(false)
    },
  }
}

function readLayout(): Partial<PanelLayout> {
  try {
    return JSON.parse(localStorage.getItem(NAME)!) as Partial<PanelLayout>
  } catch {
    // There is no storage, or somebody else wrote there.
    return {}
  }
}

function writeLayout(layout: PanelLayout): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(layout))
  } catch {
    // Storage is blocked: after a reload the panel has its default layout.
  }
}
