// Tests the tests: each of these faults, planted in the compiled library, must be found by the suites of its room.
//   npm run build -- --tests; node test/mutants.mjs build [part of a name …]
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { plant, tryAll } from './plant.mjs'

const [from = 'build', ...only] = process.argv.slice(2)
const folder = `${from}-mutants`

/** name: file, what is replaced, by what; and again. */
const mutants = {
  'base: lists of the caller are retained': ['src/base/plain', 'copies ? Array.from(value) : value', 'value'],
  'base: an own __proto__ is taken in': ['src/base/plain', "member === undefined || field === '__proto__'", 'member === undefined'],
  'base: keys depend on the order of members': ['src/base/keys', 'Object.keys(members).sort()', 'Object.keys(members)'],
  'schema: an empty pk will do': ['src/schema/plan', "pk === '' || ", ''],
  'schema: a list names a member twice': ['src/schema/Creation', '!seen.has(memberKey(member)) && ', ''],
  'normalize: the older answer wins': ['src/normalize/fold', 'const isOlder = stamp.fetchedAt < existingMeta.fetchedAt;', 'const isOlder = false;'],
  'normalize: fields that a response lacks are removed': ['src/normalize/fold', '(next ??= draft.copy(existing))', '(next ??= {})'],
  'normalize: an equal value is a new object': ['src/normalize/fold', "typeof value === 'object' ? keep(old, value) : value", 'value'],
  'normalize: an answer from before a deletion brings the row back': ['src/normalize/fold', 'if (known?.deleted && stamp.fetchedAt < known.fetchedAt)', 'if (false)'],
  'normalize: a late deletion removes a newer row': ['src/normalize/fold', 'deleted.fetchedAt < known.fetchedAt', 'false'],
  'store: values of patches are shared with the caller': ['src/store/applyPatches', 'return take(patch.value);', 'return patch.value;'],
  'store: a list may have holes': ['src/store/applyPatches', 'at > (inserts ? list.length : list.length - 1)', 'at > 1e6'],
  'store: a draft writes into the pages of earlier states': ['src/store/vector', 'if (level[0] === draft)', 'if (true)'],
  'store: an index forgets nothing': ['src/store/SecondaryIndex', 'old.delete(slot)', 'old.has(slot)'],
  'store: a row that is written late is the last': ['src/store/State', 'return vectorGet(this.ranks, slot) ?? slot;', 'return slot;'],
  'view: parents of a changed row stay as they were': ['src/view/ViewGraph', 'stack.push(parent);', ';'],
  'view: every commit wakes every reader': ['src/view/ViewGraph', 'isChanged = hasFailed || !identical(root.seen, before);', 'isChanged = true;'],
  'view: a required field may be invalid': ['src/view/Builder', 'if (member === INVALID && defaultsOf(entity)[name])', 'if (false)'],
  'view: nodes that nobody reads stay': ['src/view/ViewGraph', 'this.#drop([node]);', ';'],
  'view: a field wakes all readers of its row': ['src/view/LiveRow', 'fieldOf(before, key) !== fieldOf(record, key)', 'true'],
  'order: late reads land on top': ['src/order/Log', 'stamp.fetchedAt < entry.stamp.fetchedAt', 'true'],
  'order: a late read is folded alone': ['src/order/Log', 'for (const { operations, stamp } of entries)\n            fold(', 'for (const { operations, stamp } of [changed])\n            fold('],
  'order: positions are the time of the clock': ['src/order/Timeline', 'date > this.#last ? date : this.#last + 1', 'date'],
  'order: pending calls do not run again': ['src/order/Layer', 'if (this.beneath !== beneath)', 'if (this.beneath === undefined)'],
  'order: an answer does not wait for older calls': ['src/order/Timeline', 'if (earlier.some(layer => overlaps(layer.targets, call.targets)))', 'if (false)'],
  'order: a local write does not wait for older calls': ['src/order/Timeline', 'if (this.layers.some(layer => overlaps(layer.targets, targets)))', 'if (false)'],
  'order: layers keep temporary pks': ['src/order/Timeline', 'layer.rename(byName);', ';'],
  'order: an aborted call still shows': ['src/order/Timeline', 'layer !== call && !isLost(layer)', '!isLost(layer)'],
  'controller: a reset leaves requests in flight': ['src/controller/Controller', 'this.requests.end(() => new ResetError());', ''],
  'controller: an old failure hides a newer answer': ['src/controller/Freshness', 'Math.max(known.fetchedAt, known.invalidAt)', 'known.invalidAt'],
  'controller: an older answer ends an invalidation': ['src/controller/createLive', 'status.fetchedAt < status.invalidAt', 'false'],
  'controller: loops of requests go on': ['src/controller/Requests', 'next > LIMIT ?', 'false ?'],
  'controller: data on screen is collected': ['src/controller/garbage', 'graph.eachWatched(', '(() => {})('],
  'controller: dehydrated state can end its element': ['src/hydration/renderState', '[<\\u2028\\u2029]', '[\\u2028\\u2029]'],
  'network: creations are sent again': ['src/network/network', '!endpoint.sideEffect || ', 'true || '],
  'network: a hidden page is polled': ['src/network/polling', ' || !host.platform.visible()', ''],
  'network: Retry-After is not read': ['src/network/network', 'const asked = retryAfter(error, date);', 'const asked = 0;'],
  'tabs: pending changes are sent': ['src/changes/trackChanges', 'state = timeline.base', 'state = timeline.visible'],
  'tabs: what comes in is sent back': ['src/changes/trackChanges', 'ignored.includes(from)', 'false'],
  'tabs: the freshness of results is not taken in': ['src/changes/trackChanges', 'if (fetchedAt)', 'if (false)'],
  'tabs: an invalidation is not taken in': ['src/changes/trackChanges', 'freshness.invalidate([key], invalidAt)', ';'],
  'tabs: a deletion of an unknown row says nothing': ['src/changes/trackChanges', '!patch && !stamp.deleted', '!patch'],
  'tabs: the last message wins': ['src/changes/trackChanges', 'const isNewer = ', 'const isNewer = true || '],
  'tabs: lists are not merged': ['src/changes/trackChanges', 'rebase(below, { before,', 'rebase(below, { before: {},'],
  'tabs: a deep path is taken in': ['src/changes/trackChanges', 'path.length === 0 && ', ''],
  'tabs: nobody leads after the first': ['src/tabs/connectTabs', 'locks.request(name, {}, lead)', 'undefined'],
  'tabs: a gap is not noticed': ['src/tabs/connectTabs', 'number > last + 1', 'false'],
  'tabs: a logout stays in its tab': ['src/tabs/connectTabs', "post({ type: 'reset' });", ';'],
  'tabs: what was sent before a logout comes back': ['src/tabs/connectTabs', 'date < resetAt || ', ''],
  'tabs: every tab polls': ['src/tabs/connectTabs', "action.type !== 'poll' || isDisposed", 'true'],
  'tabs: other versions are believed': ['src/tabs/connectTabs', 'patchcord === VERSION && ', ''],
  'tabs: one value that cannot be cloned holds back all': ['src/tabs/connectTabs', 'attempt(() => channel.postMessage(JSON', 'attempt(() => channel.slice(JSON'],
  'persist: another version is restored': ['src/persist/persist', 'entry.version !== version', 'false'],
  'persist: a log with a gap is restored': ['src/persist/persist', 'n === whole[0].n + i && ', ''],
  'persist: a failed write is forgotten': ['src/persist/persist', 'reportOnce(error);\n            isBehind = true;\n            schedule(RETRY);', 'reportOnce(error);'],
  'persist: a logout leaves the data': ['src/persist/persist', "if (cause !== 'reset')", 'if (true)'],
  'persist: after clear everything is written again': ['src/persist/persist', 'isClearing = false;\n        keys = [];', 'isClearing = false;\n        keys = [];\n        isBehind = true;'],
  'persist: every tab writes': ['src/persist/persist', '!(isWriter || isClearing)', 'false'],
  'persist: an app waits for its storage': ['src/persist/persist', 'await inTime(storage.read())', 'await storage.read()'],
  'outbox: a call is sent before it is stored': ['src/outbox/outbox', '!head?.isStored || ', '!head || '],
  'outbox: every attempt has a key of its own': ['src/outbox/outbox', 'withKey(action.endpoint, entry.stored.key)', 'withKey(action.endpoint, random())'],
  'outbox: real pks are not stored': ['src/outbox/outbox', 'if (other.isStored)', 'if (false)'],
  'outbox: an answered call stays': ['src/outbox/outbox', 'storage.write(renamed, [id])', 'storage.write(renamed, [])'],
  'outbox: a refusal is tried again': ['src/outbox/outbox', '|| isRejected(error)', ''],
  'outbox: nobody is notified of a refusal': ['src/outbox/outbox', 'onRejected?.({', 'void ({'],
  'outbox: two tabs have one call': ['src/outbox/outbox', 'lock ? resume(owner) : wait()', 'resume(owner)'],
  'outbox: a logout leaves the calls of other tabs': ['src/outbox/outbox', "action.type === 'reset'", 'false'],
  'outbox: a call of another session has another id': ['src/outbox/outbox', 'stored.args, undefined, stored.id)', "stored.args, undefined, stored.id + '0')"],
  'history: undo takes away what others have changed': ['src/history/inverse', 'else if (!equal(after, current))', 'else if (false)'],
  'history: lists are restored whole': ['src/history/inverse', 'value: rebaseValue(current, after, before)', 'value: before'],
  'rest: a parameter may be two dots': ['src/rest/template', 'if (DOTS.test(text))', 'if (false)', 'if (DOT_SEGMENT.test(path))', 'if (false)'],
  'rest: parameters are not encoded': ['src/rest/template', 'return encodeURIComponent(text);', 'return text;'],
  'rest: secrets follow redirects': ['src/rest/http', "guarded.redirect ??= 'error';", ';'],
  'rest: a page of HTML is data': ['src/rest/http', 'const value = isOther ? undefined : parseJson(text);', 'const value = parseJson(text) ?? text;'],
  'rest: a request may leave its origin': ['src/rest/route', 'if (originOf(url) !== origin)', 'if (false)'],
  'solid: a controller outlives its provider': ['bindings/solid/DataProvider', 'if (!given)\n            controller.dispose();', ''],
  'solid: other arguments are the same call': ['bindings/solid/reading', 'before.key === key', 'true'],
  'preact: a controller outlives its provider': ['bindings/preact/DataProvider', 'componentWillUnmount() {\n        this.#dispose();', 'componentWillUnmount() {'],
}

/** Which suites look at a room, one after the other until one finds something. Laws a twentieth as often. */
const suites = {
  base: ['^(hostile/(keys|payloads|prototypes|patches)|contract/(normalize/ownership|base/.*|rest/request|view/args|schema/collection))\\.test\\.js$', '^laws/agreement\\.test\\.js$'],
  schema: ['^(contract/schema/.*|hostile/identity)\\.test\\.js$'],
  normalize: ['^contract/(normalize|schema)/.*\\.test\\.js$', '^laws/(partial|convergence|idempotence|atomic|agreement)\\.test\\.js$', '^contract/(order|controller)/.*\\.test\\.js$'],
  store: ['^(contract/store/.*|hostile/patches)\\.test\\.js$', '^laws/(atomic|index|order|agreement|inverse)\\.test\\.js$'],
  view: ['^contract/view/[^/]*\\.test\\.js$'],
  order: ['^contract/order/.*\\.test\\.js$', '^laws/order/.*\\.test\\.js$', '^contract/regressions/order.*\\.test\\.js$'],
  controller: ['^(contract/controller/.*|contract/managers/collection|faults/(loops|dedupe))\\.test\\.js$', '^contract/regressions/(network|ssr)\\.test\\.js$'],
  network: ['^contract/managers/(network|polling|refocus)\\.test\\.js$'],
  history: ['^contract/(controller/history.*|undo/.*)\\.test\\.js$'],
  tabs: ['^contract/tabs/.*\\.test\\.js$'],
  persist: ['^contract/persist/.*\\.test\\.js$'],
  outbox: ['^contract/outbox/outbox\\.node\\.test\\.js$', '^contract/outbox/crashes\\.node\\.test\\.js$'],
  rest: ['^contract/rest/(laws|[a-zA-Z]+|hostile\\.node|response\\.node|origin\\.node)\\.test\\.js$'],
  solid: ['^contract/bindings/solid(|Conformance|Reading|Rows)\\.test\\.js$'],
  preact: ['^contract/bindings/preact(|Conformance|Renders|Suspense)\\.test\\.js$'],
}

rmSync(folder, { recursive: true, force: true })
for (const part of ['src', 'test', 'bindings']) cpSync(`${from}/${part}`, `${folder}/${part}`, { recursive: true })

/** What a run of suites complains of; undefined when it is content. */
function complaint(pattern) {
  try {
    const output = execFileSync('node', ['--conditions=browser', '--expose-gc', 'node_modules/uvu/bin.js', `${folder}/test`, pattern, '--bail', '--no-color'], {
      stdio: 'pipe',
      timeout: 120_000,
      maxBuffer: 1e8,
      env: { ...process.env, RUNS_MULTIPLIER: '0.05' },
    }).toString()
    if (!/Total:\s+[1-9]/.test(output)) throw new Error(`No suite is called ${pattern}.`)
    return undefined
  } catch (error) {
    if (error.stdout === undefined) throw error
    // A test that waits for ever lets the process end before it has printed which one failed.
    return `${error.stdout}`.split('\n').find(line => line.includes('FAIL'))?.replace(/^\s*FAIL\s*/, '') ?? (error.signal ? 'never ends' : 'a test waits for ever')
  }
}

const wanted = Object.entries(mutants).filter(([name]) => only.length === 0 || only.some(part => name.includes(part)))
const pathOf = file => `${folder}/${file}.js`
tryAll(wanted.map(([name, [file, ...pairs]]) => [pathOf(file), name, pairs]))
/** What the suites say when nothing is planted: a complaint counts only where there was none. */
const before = new Map()
const survivors = []
for (const [name, [file, ...pairs]] of wanted) {
  const takeOut = plant(pathOf(file), name, pairs)
  let found
  let by
  for (const pattern of suites[name.split(':')[0]]) found ??= complaint((by = pattern))
  takeOut()
  if (found !== undefined && !before.has(by)) before.set(by, complaint(by))
  if (before.get(by) !== undefined) throw new Error(`With nothing planted, ${by} complains too: ${before.get(by)}`)
  if (found === undefined) survivors.push(name)
  console.log(`${found === undefined ? 'SURVIVED' : 'found   '} ${name}${found === undefined ? '' : ` | ${found.trim()}`}`)
}
rmSync(folder, { recursive: true, force: true })
console.log(`${wanted.length} faults, ${survivors.length} not found${survivors.map(name => `\n  ${name}`).join('')}`)
process.exitCode = survivors.length === 0 ? 0 : 1
