import type { Cell, State, Table } from '../../store/State.ts'
import { cellsOf, collect, editField, keepersOf, resultsShowing, tablesOf, viewOf } from '../inspect.ts'
import { rowText, textOf } from '../names.ts'
import { createVirtualList } from './createVirtualList.ts'
import { backButton, button, facts, fill, h, note, searchField } from './dom.ts'
import { createCheck, type PanelModel, type Tab } from './PanelModel.ts'
import { clockText, numberText, prettyText, spanText } from './text.ts'

/** The tables and rows of the state that is looked at. */
export function createStoreTab(model: PanelModel): Tab {
  const { controller } = model
  const { freshness, clock } = controller
  let key: string | undefined
  let pk: string | undefined
  let isView = false
  const hasChanged = createCheck()
  const isOther = createCheck()
  let cells: readonly Cell[] = []

  /** Searching 100,000 rows takes about half a second, so it is done once for each state. */
  const find = (state: State, table: Table): readonly Cell[] => {
    const words = search.value.toLowerCase()
    if (isOther(state, table, words)) cells = cellsOf(state, table).filter(cell => !words || `${cell.pk} ${textOf(state.read(cell), Infinity)}`.toLowerCase().includes(words))
    return cells
  }

  const viewText = (state: State, cell: Cell): string => {
    try {
      return prettyText(viewOf(controller, state, cell) ?? 'None')
    } catch (error) {
      return String(error)
    }
  }

  const renderRecord = (record: object | undefined, cell: Cell, isLive: boolean): HTMLElement => {
    if (record === undefined) return note('Not in this state.')
    if (Array.isArray(record)) return h('pre', prettyText(record))
    return h('table', ...Object.entries(record).map(([name, value]) => {
      const field: HTMLInputElement = h('input', {
        value: textOf(value, Infinity), 'aria-label': name, readonly: !isLive,
        keydown: ({ key: pressed }: KeyboardEvent) => {
          if (pressed === 'Enter') attempt(() => editField(controller, cell, name, valueIn(field.value)))
        },
      })
      return h('tr', h('th', name), h('td', field))
    }))
  }

  const freshnessOf = (state: State, cell: Cell): (readonly [string, string | undefined])[] => {
    const isResult = !cell.isEntity
    const status = freshness.get(cell.pk)
    const stamp = state.stamp(cell)
    const { date = 0, fetchedAt = -1, expiresAt = 0 } = (isResult ? status : stamp) ?? {}
    const left = expiresAt - clock.now()
    return [
      ['fetched', date > 0 ? clockText(date) : 'never'],
      ['fresh', isResult && status.invalidAt > fetchedAt ? 'invalid' : left <= 0 ? 'expired' : left === Infinity ? 'for ever' : `for ${spanText(left)}`],
      ['position', stamp && `${stamp.fetchedAt}`],
      ['deleted', stamp?.deleted && 'yes'],
      ['in flight', isResult ? `${status.inFlight}` : ''],
      ['error', isResult && status.error ? String(status.error) : ''],
    ]
  }

  const renderDetail = (state: State, cell: Cell): HTMLElement => {
    const isLive = !model.opened && !model.visible
    const keys = isLive ? resultsShowing(controller, cell) : []
    const keepers = isLive ? keepersOf(controller, cell) : []
    const which = { testKey: (each: string) => keys.includes(each) }
    const disabled = keys.length === 0
    return h('div',
      h('header', backButton(changing(() => (pk = undefined))), h('h2', rowText(cell)), h('span.gap'), button('As view', changing(() => (isView = !isView)), { 'aria-pressed': `${isView}` }), button('Why', () => model.ask(rowText(cell))),
        button('Expire', () => controller.expireAll(which), { disabled }), button('Invalidate', () => controller.invalidateAll(which), { disabled })),
      isView ? h('pre', viewText(state, cell)) : renderRecord(state.read(cell), cell, isLive),
      h('h3', 'Freshness'), facts(freshnessOf(state, cell)),
      h('h3', 'Retained because'), keepers.length > 0 ? h('ul.keepers', ...keepers.map(text => h('li', text))) : note(isLive ? 'Nobody needs it.' : 'Only known of now.'))
  }

  const attempt = (work: () => string | void): void => {
    try {
      message.textContent = work() ?? ''
    } catch (error) {
      message.textContent = String(error)
    }
  }

  const update = (): void => {
    const { state, visible, opened } = model
    const all = tablesOf(state)
    const { table } = all.find(each => each.table.key === key) ?? all[0] ?? {}
    key = table?.key
    tables.show(all, key, 'No table.')
    list.show(table ? find(state, table) : [], pk, 'No row.')
    const cell = pk === undefined ? undefined : table?.find(pk)
    element.classList.toggle('deep', cell !== undefined)
    if (hasChanged(cell, cell && state.read(cell), cell && state.stamp(cell), cell && freshness.get(cell.pk), isView, visible, opened)) fill(detail, cell ? renderDetail(state, cell) : note('Choose a row to see its record.'))
  }

  const changing = <T extends readonly unknown[]>(change: (...values: T) => unknown) => (...values: T): void => {
    change(...values)
    update()
  }

  const message = h('span.faint', { role: 'status' })
  const search = searchField('Search in rows', update)
  const tables = createVirtualList<{ readonly table: Table; readonly size: number }>('Tables', each => each.table.key, each => [h('span.about', each.table.key || 'results'), h('span.count', numberText(each.size))], changing(each => ([key, pk] = [each.table.key, undefined])))
  const list = createVirtualList<Cell>('Rows', each => each.pk, each => [h('span.pk', each.pk), h('span.about.faint', textOf(model.state.read(each), 160))], changing(each => (pk = each.pk)))
  const detail = h('section.detail', { 'aria-label': 'Row' })
  const collectNow = button('Collect', () => attempt(() => (collect(controller) ? 'Collected.' : 'Not while a request is in flight.')))
  const element = h('div.tab', h('div.side', h('div.bar', search, collectNow, message), h('div.browse', tables.element, list.element)), detail)
  return { element, update }
}

/** JSON, or a text that is none. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
