import { pendingOf } from '../inspect.ts'
import type { RecordedRequest } from '../RecordedRequest.ts'
import { button, fill, h, note } from './dom.ts'
import { createCheck, type PanelModel, type Tab } from './PanelModel.ts'
import { patchTable } from './patchTable.ts'

/** Calls that have not settled, in order, and reads in flight. */
export function createPendingTab(model: PanelModel): Tab {
  const { controller, recording } = model
  const { timeline } = controller
  const hasChanged = createCheck()
  const reads = (): RecordedRequest[] => recording.requests.filter(({ status, isCall }) => status === 'pending' && !isCall)

  const card = (number: string, label: string, request: RecordedRequest | undefined, actions: readonly Node[], patches?: Node): HTMLElement =>
    h('li.card', h('header', h('span.number', number), h('h2', label), h('span.badge', stateText(request)), h('span.gap'), ...actions), patches)

  const actionsOf = (request: RecordedRequest): HTMLElement[] => {
    const act = (text: string, work: () => void): HTMLElement => button(text, () => {
      work()
      update()
    })
    return [request.isDelayed ? act('Release', () => request.release()) : act('Delay', () => request.delay()), act('Let fail', () => request.fail()), act('Abort', () => request.abort())]
  }

  const update = (): void => {
    if (!hasChanged(timeline.base, timeline.layers, ...recording.requests.map(({ status, isDelayed, sentAt, answeredAt }) => `${status}${isDelayed}${sentAt}${answeredAt}`))) return
    const calls = pendingOf(controller, recording.requestOf).map(({ label, call, request, patches }, at) =>
      card(`${at + 1}`, label, request, request ? actionsOf(request) : call ? [button('Abort', () => controller.abort(call.endpoint, ...(call.args as never[])))] : [], patchTable(patches, 'Nothing.')))
    const inFlight = reads().map(request => card('', request.key, request, actionsOf(request)))
    fill(element,
      h('h3', 'Changes over the confirmed state, the oldest first'), calls.length > 0 ? h('ol', ...calls) : note('No call is pending.'),
      h('h3', 'Reads in flight'), inFlight.length > 0 ? h('ul', ...inFlight) : note('None.'))
  }

  const element = h('div.tab.scroll.pending')
  return { element, update, count: () => timeline.layers.length + reads().length }
}

function stateText(request: RecordedRequest | undefined): string {
  if (!request) return 'waits for a call'
  if (request.isDelayed) return request.answeredAt ? 'answered, delayed' : 'delayed'
  return request.sentAt ? 'sent' : 'queued'
}
