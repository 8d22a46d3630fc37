import { patchesBetween } from '../../store/patches.ts'
import { tablesOf } from '../inspect.ts'
import type { RecordedCommit } from '../RecordedCommit.ts'
import type { RecordedRequest } from '../RecordedRequest.ts'
import { textOf } from '../names.ts'
import type { ResourceTimes } from './createResourceTimes.ts'
import { createVirtualList } from './createVirtualList.ts'
import { backButton, button, facts, fill, h, iconButton, note, searchField } from './dom.ts'
import { createCheck, type PanelModel, type Tab } from './PanelModel.ts'
import { patchTable } from './patchTable.ts'
import { aboutText, clockText, numberText, spanText } from './text.ts'

/** A commit, or a request that has made none. */
interface Moment {
  readonly time: number
  readonly commit?: RecordedCommit
  readonly request: RecordedRequest | undefined
}

const FILTERS: readonly string[] = ['cause', 'entity', 'endpoint']

/** Every commit, the newest first, with the requests that made them. */
export function createTimelineTab(model: PanelModel, times: ResourceTimes): Tab {
  let texts = new WeakMap<RecordedCommit, string>()
  let chosen: RecordedRequest | undefined
  const hasChanged = createCheck()
  let longest = 1

  /** Everything that a commit says. Not with its own patches, which would stay with it. */
  const searchText = (commit: RecordedCommit): string => {
    const { cause, origin, endpoint, before, after } = commit
    const text = texts.get(commit) ?? textOf([cause, origin, endpoint, patchesBetween(before, after)], Infinity).toLowerCase()
    texts.set(commit, text)
    return text
  }

  const findMoments = (): Moment[] => {
    const { commits, requests } = model.session
    const [cause, entity, endpoint] = filters.map(({ value }) => value)
    const words = search.value.toLowerCase()
    // They may be long, so they stay only while somebody searches.
    if (!words) texts = new WeakMap()
    const moments: Moment[] = commits
      .filter(commit => (!cause || commit.cause === cause) && (!endpoint || commit.endpoint === endpoint) && (!entity || commit.changes.some(({ cell }) => cell.table.key === entity)) && (!words || searchText(commit).includes(words)))
      .map(commit => ({ time: commit.time, commit, request: commit.request }))
    for (const request of requests) {
      if (request.commits.length === 0 && !cause && !entity && (!endpoint || request.key === endpoint) && request.key.toLowerCase().includes(words)) moments.push({ time: request.landedAt ?? Infinity, request })
    }
    return moments.sort((a, b) => b.time - a.time || (b.commit?.id ?? 0) - (a.commit?.id ?? 0))
  }

  const offer = (at: number, names: readonly string[]): void => {
    const select = filters[at]!
    const wanted = ['', ...new Set(names)].toSorted()
    const { value, options } = select
    if (wanted.join('\n') === [...options].map(option => option.value).join('\n')) return
    fill(select, ...wanted.map(name => h('option', { value: name }, name || `Every ${FILTERS[at]}`)))
    select.value = wanted.includes(value) ? value : ''
  }

  const phasesOf = (request: RecordedRequest): [name: string, ms: number][] => {
    const now = performance.now()
    const { startedAt, landedAt = now, sentAt = landedAt, answeredAt = landedAt, isLate } = request
    const body = times.bodyOf(request) ?? answeredAt
    const phases: [string, number][] = [['queued', sentAt - startedAt], ['waiting', body - sentAt], ['body', answeredAt - body], [isLate ? 'late' : 'landing', landedAt - answeredAt]]
    return phases.filter(([name, ms]) => ms > 0.05 || name === 'late')
  }

  const phasesText = (request: RecordedRequest): string => phasesOf(request).map(([name, ms]) => `${name} ${spanText(ms)}`).join(', ')

  const renderRow = ({ commit, request }: Moment): Node[] => {
    const cause = commit?.cause ?? request!.status
    return [
      h('span.number', commit === undefined ? '' : commit === model.visible ? '▶' : commit.id),
      h('span.cause', { 'data-cause': cause }, cause),
      h('span.about', commit ? aboutText(commit) : request!.key),
      h('span.count', commit && numberText(commit.changed)),
      h('span.span', commit && spanText(commit.duration)),
      request ? h('span.times', { title: phasesText(request) }, ...phasesOf(request).map(([name, ms]) => h(`i.${name}`, { style: `width:${(ms / longest) * 100}%` }))) : h('span.times'),
    ]
  }

  const renderDetail = (commit: RecordedCommit | undefined, request: RecordedRequest | undefined): HTMLElement => {
    if (!commit && !request) return note('Choose a commit to see its patches.')
    const actions = commit ? [button('Why', () => model.choose(commit, 'Why')), button('Show this state', () => model.show(commit), { disabled: model.visible === commit })] : [button('Abort', () => request!.abort(), { disabled: request!.status !== 'pending' })]
    const base = commit?.basePatches
    return h('div',
      h('header', backButton(() => choose()), h('h2', commit ? `#${commit.id} ${commit.cause}` : request!.key), h('span.gap'), ...actions),
      facts([
        ...(commit ? ([['endpoint', commit.endpoint], ['origin', commit.origin], ['time', clockText(commit.at)], ['took', spanText(commit.duration)], ['rows', numberText(commit.changed)]] as const) : []),
        ['request', request && phasesText(request)],
        ['error', request?.error ? String(request.error) : ''],
      ]),
      ...(commit ? [h('h3', 'Patches'), patchTable(commit.patches, 'None: readers saw this already.'), h('details', h('summary', 'Inverse patches'), patchTable(commit.inversePatches, 'None.'))] : []),
      base && h('details', { open: commit!.patches.length === 0 }, h('summary', 'Confirmed patches'), patchTable(base, 'None.')))
  }

  const choose = (commit?: RecordedCommit, request?: RecordedRequest): void => {
    chosen = commit ? undefined : request
    model.choose(commit)
  }

  const update = (): void => {
    const { commit, session, visible } = model
    const { commits, requests } = session
    offer(0, commits.map(({ cause }) => cause))
    offer(1, tablesOf(model.state).map(({ table }) => table.key))
    offer(2, requests.map(({ key }) => key))
    const moments = findMoments()
    longest = Math.max(1, ...moments.map(({ request }) => (request ? (request.landedAt ?? performance.now()) - request.startedAt : 0)))
    list.show(moments, commit ?? chosen, commits.length > 0 ? 'No commit matches.' : 'Nothing has changed yet.')
    element.classList.toggle('deep', Boolean(commit ?? chosen))
    const request = chosen ?? commit?.request
    if (hasChanged(commit, request && phasesText(request), visible)) fill(detail, renderDetail(commit, request))
  }

  const search = searchField('Search in values', update)
  const filters = FILTERS.map(name => h('select', { 'aria-label': `Filter by ${name}`, change: update }))
  const list = createVirtualList<Moment>('Commits', ({ commit, request }) => commit ?? request, renderRow, ({ commit, request }) => choose(commit, request))
  const detail = h('section.detail', { 'aria-label': 'Details' })
  const clear = iconButton('clear', 'Forget all commits', () => {
    choose()
    model.recording.clear()
  })
  const element = h('div.tab', h('div.side', h('div.bar', search, ...filters, clear), list.element), detail)
  return { element, update }
}
