import { signal } from '@preact/signals-core'
import { Controller, createRefocus } from 'patchcord'
import { outbox, type RejectedCall } from 'patchcord/outbox'
import { idbStorage, persist } from 'patchcord/persist'
import { connect } from 'patchcord/push'
import { connectTabs } from 'patchcord/tabs'
import { canRetry } from './errors.ts'
import { Journal } from './journal.ts'
import { fetchFromTab } from './network.ts'
import { isOffline, platform } from './offline.ts'
import { Issue, IssueResource, Person, PersonResource, Service, ServiceResource } from './resources.ts'

const fetchOnline: typeof fetchFromTab = (input, init) => (isOffline.peek() ? Promise.reject(new TypeError('The user works offline.')) : fetchFromTab(input, init))

/** The store of this page. Who returns to the tab sees what others changed meanwhile, also without the stream. */
export const controller: Controller = new Controller({ timeout: 10_000, fetch: fetchOnline, platform, managers: [createRefocus()] })
/** What the user did. */
export const journal: Journal = new Journal(controller)

// Two windows side by side are visible all the time: there the focus tells that the user returns.
addEventListener('focus', () => controller.expireAll({ testKey: () => true }))

/** What the other tabs of this browser have, and what was here before the last reload. The board is out of date at once. */
const tabs = connectTabs(controller, { name: 'tracker' })
const persisted = persist(controller, { version: '1', name: 'tracker', exclude: [Service, ServiceResource.getList] })

/** Changes that were made offline are sent until the server has answered. Any other failure is for the user to decide. */
const hasBacklog = signal(isOffline.peek())
const box = outbox(controller, {
  storage: idbStorage('tracker outbox'),
  name: 'tracker',
  endpoints: [IssueResource, PersonResource],
  persisted,
  isRejected: error => !canRetry(error) || !(isOffline.peek() || hasBacklog.peek()),
  onRejected: showRejected,
})
/** How many changes the server does not have yet. */
export const waiting = box.pending

isOffline.subscribe(is => void (hasBacklog.value ||= is))
waiting.subscribe(count => void (hasBacklog.value &&= count > 0 || isOffline.peek()))

/** What another visitor changes is on this page at once. */
const stream = connect(controller, { url: '/stream', types: { Issue: IssueResource.getList.move.schema, Person } })

/** The stream begins with a reset: what is fetched before that is fetched twice. */
const connected = new Promise<void>(resolve => {
  setTimeout(resolve, 500)
  stream.status.subscribe(status => void (status !== 'connecting' && setTimeout(resolve, 50)))
})

/** Resolves when there is something to show. */
export const ready: Promise<unknown> = Promise.all([tabs.ready, persisted.restored, box.restored.then(() => void (hasBacklog.value ||= waiting.peek() > 0)), connected])

/** The journal knows the calls of this page. Those from before a reload are in nobody's hands. */
function showRejected({ args, error }: RejectedCall): void {
  setTimeout(() => {
    if (journal.problems.peek().some(problem => problem.error === error)) return
    const { id, title } = Object.assign({}, ...args) as Partial<Issue>
    journal.act(`Save “${title ?? controller.get(Issue, { id })?.title ?? id}”`, () => Promise.reject(error))
  })
}

/** Resets the server's data, the settings of this tab, and what is stored here. */
export async function startOver(): Promise<void> {
  await fetchFromTab('/control/reset', { method: 'POST' })
  controller.reset()
  await persisted.clear()
  location.reload()
}
