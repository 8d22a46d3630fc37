// One build with its controller, server and readers. It performs steps and reports what a user could see.
import { effect, untracked } from '@preact/signals-core'
import { createClock } from '../../build/src/testing/index.js'
import { patchDocument } from '../../build/test/laws/document.js'
import { Server } from './server.mjs'
import { errorText, freshText, textOf } from './text.mjs'
import { createWorld, entityKeys } from './world.mjs'

const isEntityKey = new Set(entityKeys)
/** Ids that the server or a history makes. Every other pk of an entity is temporary. */
const isServerId = /^(\d+|[a-z]\d+|eur|usd|gbp)$/

export const updaters = {
  inc: draft => void draft.n++,
  double: draft => void (draft.n *= 2),
  toggle: draft => void (draft.done = !draft.done),
  tag: draft => void (draft.tags = draft.tags?.includes('z') ? draft.tags : [...(draft.tags ?? []), 'z']),
  rename: draft => ({ ...draft, title: `${draft.title}!` }),
  untitle: draft => void delete draft.title,
  fail: () => {
    throw new RangeError('updater')
  },
  reverse: draft => void draft.reverse(),
  shift: draft => void draft.shift(),
}

const worlds = new WeakMap()

export class Side {
  /** Temporary pks in the order they appeared. Their index is the name by which sides are compared. */
  temporary = []
  outcomes = []
  errors = []
  commits = []
  /** Failed checks against Immer or the build's own snapshot. */
  violations = []
  pending = 0
  /** How many undos and redos have not settled. */
  turning = 0
  /** Calls that the history may undo: what the statistics need. */
  actions = []
  #effects = new Map()
  #runs = []
  #lastRun = []
  #commitCount = 0
  #seen = []
  #document = { entities: new Map(), endpoints: new Map() }
  #base = this.#document
  #sent = 0
  #aborted = 0
  #polls = []
  #snapshot
  #exported = { rows: new Map(), deleted: [] }
  #operations = 0
  #verbs
  #focus
  #looks = 0
  /** The answers that a drain has still to send, and how many it was at most. */
  #answers = []
  mostAnswers = 0
  #last

  /** With `last` a drain sends its answers one after the other, as version 2 handles them: the n-th last, or with 0 none of them. */
  constructor(lib, history, settings, last) {
    this.lib = lib
    this.#last = last
    let world = worlds.get(lib)
    if (world === undefined) worlds.set(lib, (world = createWorld(lib)))
    this.world = world
    this.clock = createClock(1_700_000_000_000)
    this.server = new Server(settings.deaf)
    this.controller = new lib.Controller({
      fetch: this.server.fetch,
      clock: this.clock,
      platform: { online: () => true, visible: () => true, watch: () => () => {} },
      retry: settings.retry ? { attempts: 3, base: 500 } : false,
      gc: settings.gc ? { after: 60_000, every: 30_000 } : false,
      onError: error => void this.errors.push(errorText(error)),
    })
    this.#verbs = this.controller
    this.#focus = settings.focus
    this.history = history(this.controller)
    this.controller.subscribePatches(this.#onCommit)
    this.#runs = this.world.readers.map(() => 0)
    this.#lastRun = this.world.readers.map(() => -1)
    for (let i = 0; i < this.world.readers.length; i++) if (settings.mount[i % settings.mount.length] && this.#isInFocus(i)) this.#mount(i)
  }

  // Steps

  /** Performs a step. An error that it throws at once is part of what is compared. */
  perform(step) {
    this.#operations++
    this.server.step = this.#operations
    this.server.doing = step.do
    // The library hears nothing of these.
    this.isIdle = step.do === 'change' || step.do === 'jump' || (step.do === 'release' && this.server.open.length === 0)
    try {
      this[step.do](step)
    } catch (error) {
      // These concern the scripted server alone: an error in them is one of this program.
      if (this[step.do] === undefined || ['release', 'drain', 'change'].includes(step.do)) throw error
      this.outcomes.push(`${step.do} threw ${errorText(error)}`)
    }
  }

  read({ of, args }) {
    this.#track(of, this.controller.fetch(this.world.find(of), ...this.#resolve(args)))
  }

  fetchIfStale({ of, args }) {
    this.#track(of, this.controller.fetchIfStale(this.world.find(of), ...this.#resolve(args)))
  }

  call({ of, args }) {
    const action = { settled: false }
    this.actions.push(action)
    this.pending++
    const settle = () => void this.pending--
    const promise = this.#verbs.fetch(this.world.find(of), ...this.#resolve(args))
    promise.then(() => ((action.settled = true), settle()), () => (this.actions.splice(this.actions.indexOf(action) >>> 0, 1), settle()))
    this.#track(of, promise)
  }

  group({ steps }) {
    const before = this.actions.length
    // Version 2 passes the verbs of the group; in 0.1.0 the controller's own belong to it.
    this.history.group(verbs => {
      this.#verbs = verbs ?? this.controller
      steps.forEach(step => this.perform(step))
      this.#verbs = this.controller
    })
    // One undo takes back all of it.
    const inside = this.actions.splice(before)
    if (inside.length > 0) this.actions.push({ get settled() { return inside.every(({ settled }) => settled !== false) } })
  }

  release({ nth, how, omit }) {
    const { open } = this.server
    if (open.length === 0) return
    this.server.release(pickRequest(open, nth), how, omit)
  }

  set({ of, args, value, updater }) {
    this.actions.push({ isSet: true })
    this.#verbs.set(this.world.schemas[of], ...this.#resolve(args), updater === undefined ? this.#resolve(value) : updaters[updater])
  }

  undo({ early }) {
    // 0.1.0 aborts a call in flight, version 2 waits for its answer: most histories do without.
    this.isIdle = !early && this.actions.at(-1)?.isSet !== true && this.actions.some(({ settled }) => settled === false)
    if (this.isIdle) return
    this.actions.pop()
    this.#turn('undo', this.history.undo())
  }

  redo() {
    this.#turn('redo', this.history.redo())
  }

  abort({ of, args }) {
    this.controller.abort(this.world.find(of), ...this.#resolve(args))
  }

  reset() {
    this.actions = []
    this.controller.reset()
  }

  invalidate({ of, args }) {
    this.controller.invalidate(this.world.find(of), ...args)
  }

  expireAll({ of }) {
    this.controller.expireAll(this.world.find(of))
  }

  invalidateAll({ of }) {
    this.controller.invalidateAll(this.world.find(of))
  }

  setResponse({ of, args, response }) {
    this.controller.setResponse(this.world.find(of), ...args, response)
  }

  setError({ of, args }) {
    this.controller.setError(this.world.find(of), ...args, new this.lib.NetworkError('set', { status: 503 }))
  }

  /** Delivers the response of an earlier list request once more. */
  again({ nth }) {
    const answered = this.server.sent.filter(({ method, url, answer }) => method === 'GET' && answer && /^\/todos(\?group=.)?$/.test(url))
    if (answered.length === 0) return
    const { url, answer } = answered[nth % answered.length]
    const group = url.split('group=')[1]
    this.controller.setResponse(this.world.endpoints.Todos.getList, ...(group ? [{ group }] : []), answer)
  }

  patch({ patches }) {
    this.controller.applyPatches(this.#resolve(patches), { origin: 'tab' })
  }

  tick({ ms }) {
    this.clock.advance(ms)
  }

  jump({ ms }) {
    this.clock.setDate(this.clock.date() + ms)
  }

  collect() {
    for (let i = 0; i < 5; i++) this.clock.advance(50_000)
  }

  change(step) {
    this.server.change(step)
  }

  toggle({ reader }) {
    const at = reader % this.world.readers.length
    const mounted = this.#effects.get(at)
    if (mounted === undefined) return this.#mount(at)
    mounted.stop()
    this.#effects.delete(at)
  }

  poll({ on }) {
    const { polled } = this.world.endpoints
    if (on) {
      if (typeof this.lib.subscribe === 'function') this.#polls.push(this.lib.subscribe(this.controller, polled))
      else {
        this.controller.subscribe(polled)
        this.#polls.push(() => this.controller.unsubscribe(polled))
      }
    } else this.#polls.pop()?.()
    // In 0.1.0 the first poll waits for a timer of 0 ms.
    this.clock.advance(0)
  }

  /** Answers whatever is open, a few times, so that a history ends in a settled state. */
  drain() {
    for (const request of inOrder(this.server.open)) {
      const { resolve, method } = request
      if (this.#last !== undefined) request.resolve = response => void this.#answers.push({ order: durationOf(method, response), send: () => resolve(response) })
      this.server.release(request, 'ok', 0)
    }
    this.mostAnswers = Math.max(this.mostAnswers, this.#answers.length)
  }

  /** Sends the answers that a drain has not sent at once, one after the other. */
  async answerInTurn(settled) {
    const answers = this.#answers.splice(0).sort((a, b) => a.order - b.order)
    if (this.#last > 0) answers.push(...answers.splice((this.#last - 1) % answers.length, 1))
    for (const { send } of answers) {
      send()
      await settled()
    }
  }

  dispose() {
    this.controller.dispose()
  }

  /** Stops effects, so that a finished history leaves nothing behind. */
  end() {
    for (const { stop } of this.#effects.values()) stop()
    this.controller.dispose()
  }

  #turn(label, promise) {
    this.turning++
    const settle = () => void this.turning--
    promise.then(settle, settle)
    this.#track(label, promise)
  }

  #track(label, promise) {
    const name = `#${this.#operations} ${label}`
    promise.then(
      value => void this.outcomes.push(`${name} resolved ${textOf(value)}`),
      error => void this.outcomes.push(`${name} rejected ${errorText(error)}`),
    )
  }

  /** Arguments with `{ $temporary: n }` replaced by this side's temporary pks. */
  #resolve(value) {
    if (Array.isArray(value)) return value.map(each => this.#resolve(each))
    if (typeof value !== 'object' || value === null) return value
    if ('$temporary' in value) return this.temporary.length > 0 ? this.temporary[this.temporary.length - 1 - (value.$temporary % this.temporary.length)] : value.or
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#resolve(member)]))
  }

  #mount(at) {
    const { schema, endpoint, args } = this.world.readers[at]
    const signal = this.controller.view(endpoint ?? schema, ...args)
    const stop = effect(() => {
      void signal.value
      if (this.#lastRun[at] === this.#commitCount && this.#runs[at] > 0) this.#repeated.push(this.world.readers[at].name)
      this.#runs[at]++
      this.#lastRun[at] = this.#commitCount
    })
    this.#effects.set(at, { signal, stop })
  }

  #repeated = []

  /** Whether a request for a read is in flight. */
  isFetching(of, ...args) {
    return untracked(() => this.controller.isFetching(this.world.find(of), ...args))
  }

  isMounted(reader) {
    return this.#effects.has(reader)
  }

  #isInFocus(reader) {
    return this.#focus === 'all' || this.world.readers[reader].topics.includes(this.#focus)
  }

  // Commits

  #onCommit = commit => {
    this.#commitCount++
    // Runs of effects belong to the commit before the listener hears of it or after: either way one per commit.
    const { patches } = commit
    this.#findTemporary(patches)
    const before = this.#document
    this.commits.push(patches.length === 0 ? '' : `${commit.cause}${commit.origin ? ` ${commit.origin}` : ''}`)
    this.#document = this.#advance(this.#document, patches, () => commit.inversePatches, 'patches')
    const { patches: basePatches = commit.basePatches } = commit.base
    // Without pending calls both are the same.
    if (basePatches === patches && this.#base === before) this.#base = this.#document
    else this.#base = this.#advance(this.#base, basePatches, () => commit.base.inversePatches ?? commit.baseInversePatches, 'basePatches')
  }

  #advance(before, patches, inverseOf, what) {
    try {
      const after = patchDocument(before, patches)
      // Every second commit: Immer takes a tenth of the time of a run.
      if (this.#commitCount % 2 === 0) {
        const inverse = inverseOf()
        const back = patchDocument(after, inverse)
        for (const { path } of [...patches, ...inverse]) {
          const [was, is] = [recordAt(before, path), recordAt(back, path)]
          if (was !== is && textOf(was) !== textOf(is)) this.violations.push(`inverse ${what} do not lead back at ${path.join('/')}`)
        }
      }
      return after
    } catch (error) {
      this.violations.push(`Immer refuses ${what}: ${error.message.slice(0, 200)}`)
      return before
    }
  }

  #findTemporary(patches) {
    const found = patches.filter(({ op, path: [root, key, pk, ...rest] }) => op === 'add' && root === 'entities' && rest.length === 0 && isEntityKey.has(key) && !isServerId.test(pk) && !this.temporary.includes(pk))
    // By table: builds may visit tables in different orders.
    if (found.length > 1) found.sort((a, b) => (a.path[1] < b.path[1] ? -1 : a.path[1] > b.path[1] ? 1 : 0))
    for (const { path } of found) this.temporary.push(path[2])
  }

  /** `text` with temporary pks replaced by names that both sides share. */
  rename(text) {
    if (this.temporary.length === 0) return text
    let renamed = text
    this.temporary.forEach((pk, i) => {
      if (renamed.includes(pk)) renamed = renamed.replaceAll(pk, `temporary-${i}`)
    })
    return renamed
  }

  // Observation

  /**
   * What changed for a user since the last look. Signals with an effect are read every time; the controller and live
   * objects are asked in turn, because asking all takes a third of the time of a run.
   */
  observe(all) {
    this.#looks++
    const { controller, server, world } = this
    const state = controller.snapshot()
    if (state !== this.#snapshot) {
      this.#snapshot = state
      this.#exported = this.#export(state)
    }
    const views = world.readers.map((reader, i) => {
      const mounted = this.#effects.get(i)
      const asks = all || (this.#isInFocus(i) && (this.#looks + i) % 3 === 0)
      if (!asks && !mounted) return undefined
      const look = attempt(() => (asks ? this.#read(reader) : { data: mounted.signal.peek() }), text => ({ status: text }))
      if (asks && mounted && !look.status?.startsWith('threw') && !Object.is(mounted.signal.peek(), look.data)) {
        this.violations.push(`the signal of ${reader.name} shows ${textOf(mounted.signal.peek())}, a read ${textOf(look.data)}`)
      }
      const isSame = Object.is(look.data, this.#seen[i])
      this.#seen[i] = look.data
      return { ...look, isSame }
    })
    const live = world.live.map(({ target, args, topic }) => {
      if (!all && (this.#looks % 3 !== 0 || (this.#focus !== 'all' && this.#focus !== topic))) return ''
      return attempt(() => freshText(untracked(() => controller.live(target, ...args))), text => text)
    })
    const observation = {
      views,
      live,
      // Requests for different addresses have no order within a step.
      requests: server.sent.slice(this.#sent).sort(byAddress).map(({ method, url, body }) => `${method} ${url} ${body}`.trim()),
      aborted: server.aborted.slice(this.#aborted).sort(),
      open: server.open.length,
      outcomes: this.outcomes.map(text => this.rename(text)).sort(),
      errors: this.errors.sort(),
      commitCount: this.commits.length,
      // How many passes a collection takes is not compared, only what it leaves; nor in which order promises settle.
      commits: this.commits.filter(cause => cause !== '' && !cause.startsWith('collect')).sort(),
      woken: this.#runs.map(count => count > 0),
      repeated: this.#repeated,
      rows: this.#exported.rows,
      deleted: this.#exported.deleted,
      base: this.#base,
      violations: this.violations,
      canUndo: this.history.canUndo.value,
      canRedo: this.history.canRedo.value,
    }
    this.#sent = server.sent.length
    this.#aborted = server.aborted.length
    this.outcomes = []
    this.errors = []
    this.commits = []
    this.violations = []
    this.#repeated = []
    this.#runs.fill(0)
    return observation
  }

  /** What the controller says about a reader when it is asked. */
  #read({ endpoint, schema, args }) {
    if (endpoint === undefined) return { data: this.controller.get(schema, ...args), status: '' }
    const { data, expiryStatus, expiresAt } = this.controller.getResponse(endpoint, ...args)
    const error = this.controller.getError(endpoint, ...args)
    const isFetching = this.controller.isFetching(endpoint, ...args)
    return { data, status: [expiryStatus, expiresAt, ...(isFetching ? ['fetching'] : []), ...(error === undefined ? [] : [errorText(error)])].join(' ') }
  }

  /** The document that `exportState` writes, and whether the document made of all patches is the same. */
  #export(state) {
    const { entities, endpoints } = this.lib.exportState(state)
    const rows = new Map()
    const deleted = []
    for (const [key, list] of entities) for (const [pk, record] of list) {
      if (record === null) deleted.push(`${key} ${pk}`)
      else rows.set(`${key} ${pk}`, record)
    }
    for (const [key, result] of endpoints) rows.set(`result ${key}`, result)
    const patched = flatten(this.#document)
    for (const [name, record] of rows) {
      const other = patched.get(name)
      if (record !== other && textOf(record) !== textOf(other)) this.violations.push(`patches lead to ${textOf(other)} at ${name}, the snapshot has ${textOf(record)}`)
    }
    if (patched.size !== rows.size) this.violations.push(`patches lead to ${patched.size} records, the snapshot has ${rows.size}`)
    return { rows, deleted: deleted.sort() }
  }
}

/** What `work` gives, or what `otherwise` makes of its error. */
function attempt(work, otherwise) {
  try {
    return work()
  } catch (error) {
    return otherwise(`threw ${errorText(error)}`)
  }
}

/** By the number of microtasks that version 2 needs: answers without a body first, then failures, which have no result to store. */
const durationOf = (method, { status, ok }) => (status === 204 || (method === 'DELETE' && status === 404) ? 0 : ok ? 2 : 1)

const byAddress = (a, b) => a.step - b.step || (a.url < b.url ? -1 : a.url > b.url ? 1 : 0)
/** Requests in the order of the steps that sent them. */
const inOrder = requests => [...requests].sort(byAddress)

/** The open request that a step means: counted from the oldest, or from the newest when negative. */
export function pickRequest(requests, nth) {
  const open = inOrder(requests)
  return open.at(nth < 0 ? Math.max(nth, -open.length) : nth % open.length)
}

const flat = new WeakMap()

/** The records of a document by name. */
export function flatten(document) {
  let rows = flat.get(document)
  if (rows === undefined) {
    rows = new Map()
    for (const [key, table] of document.entities) for (const [pk, record] of table) rows.set(`${key} ${pk}`, record)
    for (const [key, result] of document.endpoints) rows.set(`result ${key}`, result)
    flat.set(document, rows)
  }
  return rows
}

function recordAt({ entities, endpoints }, [root, key, pk]) {
  return root === 'entities' ? entities.get(key)?.get(pk) : endpoints.get(key)
}
