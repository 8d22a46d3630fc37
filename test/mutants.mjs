// Tests the tests: each of these faults, planted in the compiled library, must be found by the suites of its room.
//   npm run build -- --tests; node test/mutants.mjs build [part of a name …]
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { plant, tryAll } from './plant.mjs'

const [from = 'build', ...only] = process.argv.slice(2)
const folder = `${from}-mutants-core`

/** name: file, what is replaced, by what; and again. */
const mutants = {
  'base: what comes in is kept as it is': ['src/base/plain', "if (typeof value !== 'object' || value === null || isOwned(value, depth))", 'if (true)'],
  'base: an own __proto__ is taken in': ['src/base/plain', "if (field === '__proto__') {", 'if (false) {'],
  'base: depth has no end': ['src/base/plain', 'export const DEPTH_LIMIT = 500', 'export const DEPTH_LIMIT = 1e9'],
  'base: keys have the order in which they came': ['src/base/keys', 'Object.keys(members).sort()', 'Object.keys(members)'],
  'schema: any pk will do': ['src/schema/pk', "if (pk === '')\n            return undefined;", ''],
  'schema: what is polluted belongs to the class': ['src/schema/plan', '|| !Object.prototype.propertyIsEnumerable(name)', '|| true'],
  'schema: a list names a member twice': ['src/schema/Collection', 'Array.isArray(members) ? distinct(members) : members', 'members'],
  'schema: a required field may be invalid': ['src/schema/entityView', 'if (value === INVALID && plan.defaults[field])', 'if (false)'],
  'normalize: a field that is absent goes': ['src/normalize/fold', 'next ??= copyOf(existing, plan);', 'next ??= {};'],
  'normalize: the older answer wins': ['src/normalize/fold', 'const older = stamp.fetchedAt < existingMeta.fetchedAt;', 'const older = false;'],
  'normalize: no tombstone': ['src/normalize/fold', 'if (known?.deleted && stamp.fetchedAt < known.fetchedAt)\n            return;', ''],
  'normalize: what is equal is a new object': ['src/normalize/fold', 'const shared = share(old, value);', 'const shared = value;'],
  'normalize: a failed response leaves its rows': ['src/normalize/normalize', 'proposal.abandon();\n        throw error;', 'throw error;'],
  'normalize: every row is taken for a new one': ['src/normalize/pass', 'cell.slot === next && !this.#kept ? NEW : UNSURE', 'NEW'],
  'normalize: what has not changed is not renewed': ['src/normalize/fold', 'foldSame(draft, operation.cell, stamp);', ';'],
  'normalize: what has not changed is renewed by the older': ['src/normalize/fold', 'if (known === undefined || stamp.fetchedAt >= known.fetchedAt)', 'if (true)'],
  'normalize: a row that is nested in itself is what it was': ['src/normalize/entityInput', 'host.stored(entry) === stored', 'true'],
  'store: rows with different stamps are one group': ['src/store/diff', 'open?.stamp === (stamp ?? null)', 'open'],
  'schema: every class takes a family': ['src/schema/plan', 'rows >= MANY && ', ''],
  'store: patches of new rows stay when the rows change': ['src/store/proposal', 'const patches = this.#back ? [] : this.#patches;', 'const patches = this.#patches;'],
  'store: a patch that adds a row may be changed before it is applied': ['src/store/origin', 'value === record && ', ''],
  'store: what another draft was given between is taken back, too': ['src/store/draft', 'if (run?.end === slots)', 'if (run)'],
  'store: stamps of their own are those of the response': ['src/store/proposal', ' || stamp !== this.#stamp', ''],
  'store: who is deleted twice is stamped twice': ['src/store/proposal', ' || stamp.deleted', ''],
  'store: cells are put back last first': ['src/store/proposal', 'for (let i = cells.length - 1; i >= 0; i--)\n            cells[i].table.adopt(cells[i]);', 'for (const cell of cells)\n            cell.table.adopt(cell);'],
  'store: pks of one hash are one': ['src/store/directory', 'cell.hash === hash && cell.pk === pk', 'cell.hash === hash'],
  'store: a cell that goes takes those linked to it along': ['src/store/directory', 'before.link = cell.link;', 'before.link = 0;'],
  'store: pks that end alike are all gone through': ['src/store/directory', '++count > LONGEST', 'false'],
  'base: what is frozen and inherits is taken as it is': ['src/base/plain', 'if (!isPlain(value))\n        return false;\n    for', 'for'],
  'store: half of the patches apply': ['src/store/apply', 'draft.abandon();\n        throw error;', 'return draft.finish();'],
  'store: patches are aliased': ['src/store/apply', 'replaceRoot(draft, patch, ownValue(patch))', 'replaceRoot(draft, patch, patch.value)'],
  'store: an index forgets nothing': ['src/store/lookup', 'this.#drop(old, slot);', ';'],
  'store: an index stays where it is': ['src/store/lookup', 'find(records, value) {\n        this.moveTo(records);', 'find(records, value) {\n        if (this.#at.root === undefined) this.moveTo(records);'],
  'store: a row that comes back is the last': ['src/store/rows', 'if (this.#late.get(slot) === undefined)\n            this.#late.set', 'this.#late.set'],
  'store: deep patches lose what stands beside': ['src/store/edit', 'let copy = copyRecord(record);', 'let copy = edit === editDeep ? {} : copyRecord(record);'],
  'store: values may be put too deep': ['src/store/edit', 'return share(value, own(next));', 'return share(value, next);'],
  'store: a list may have holes': ['src/store/edit', '|| at > last)', '|| at > 1e6)'],
  'view: parents are not made anew': ['src/view/mark', 'mark(parent);', ';'],
  'view: every commit wakes every reader': ['src/view/graph', '!Object.is(shown(settle(node)), shown(before)) || hadFailed', 'true'],
  'view: readers are woken one by one': ['src/view/graph', 'batch(() => untracked(() => woken.forEach((before, node) => differs(node, before) && bump(node))));', 'woken.forEach((before, node) => differs(node, before) && bump(node));'],
  'view: an effect that throws ends the write': ['src/view/graph', 'report(error);\n        }\n        chain', 'throw error;\n        }\n        chain'],
  'view: what nobody reads stays': ['src/view/graph', 'release(nodes, forget);', ';'],
  'view: live fields wake all readers of the row': ['src/view/liveEntity', 'if (!stays)', 'if (true)'],
  'rest: dots are a parameter': ['src/rest/fill', "if (DOTS.test(text))\n            throw refuse(name, `must not be \"${text}\"`);", '', 'if (path.split(\'/\').some(segment => DOTS.test(segment)))', 'if (false)'],
  'rest: parameters are not encoded': ['src/rest/fill', 'return encodeURIComponent(text);', 'encodeURIComponent(text); return text;'],
  'rest: secrets follow redirects': ['src/rest/headers', "own.redirect ??= 'error';", ';'],
  'rest: init inherits': ['src/rest/headers', 'Object.assign(Object.create(null), init)', '({ ...init })'],
  'rest: a page of HTML is data': ['src/rest/response', 'if (!isJson && type)\n        throw unreadable', 'if (false)\n        throw unreadable'],
  'rest: a next page may be anywhere': ['src/rest/origin', 'if (originOf(url) !== origin)', 'if (false)'],
  'managers: creations are sent again': ['src/managers/retry', '(!endpoint.sideEffect || ', '(true || '],
  'managers: Retry-After is not read': ['src/managers/call', 'const asked = retryAfter(error, date);', 'const asked = undefined;'],
  'managers: the deadline ends with the headers': ['src/managers/call', 'failed(error);\n                mine.abort(error);', 'mine.abort(error);'],
  'managers: listeners stay at the signal': ['src/managers/call', "signal.removeEventListener('abort', onAbort);", ''],
  'managers: what is read may go': ['src/managers/sweep', 'heap.forEachUse(use);', ';'],
  'managers: what layers hold may go': ['src/managers/sweep', 'heap.forEachHeld(cell => hold(cell));', ';'],
  'managers: polls go on when nobody subscribes': ['src/managers/polling', 'polls.delete(key);', '', 'if (poll.running || poll.subscribers.length === 0)', 'if (poll.running)', 'fastest(poll).endpoint', '(fastest(poll) ?? {endpoint:{}}).endpoint'],
  'managers: a hidden page is polled': ['src/managers/polling', '|| !platform.visible()', ''],
  'controller: an old failure takes a newer answer away': ['src/controller/freshness', 'Math.max(known.fetchedAt ?? 0, known.invalidAt)', 'known.invalidAt'],
  'controller: an invalidation is met by an older answer': ['src/controller/freshness', 'fetchedAt < invalidAt', 'false'],
  'controller: hydration takes newer data away': ['src/controller/hydrate', 'if (ownStamp !== undefined && ownStamp.date >= (stamp?.date ?? 0))', 'if (false)'],
  'controller: the state can end its element': ['src/controller/renderState', '[<\\u2028\\u2029]', '[\\u2028\\u2029]'],
  'controller: circles of requests are not stopped': ['src/controller/breaker', 'if (times <= LIMIT)', 'if (true)'],
  'solid: nobody is told of what is shared': ['bindings/solid/reactive', 'onCleanup(signal.subscribe(next => void set(() => next)));', ';'],
  'solid: a store outlives its provider': ['bindings/solid/DataProvider', 'onCleanup(() => controller.dispose());', ';'],
  'solid: other arguments are the same call': ['bindings/solid/reading', 'before.key === now.key && before.fault === now.fault', 'true'],
  'preact: a store outlives its provider': ['bindings/preact/DataProvider', 'componentWillUnmount() {\n        this.#dispose();', 'componentWillUnmount() {'],
  'preact: what is stale is not asked for': ['bindings/preact/useReading', 'reading?.follow(missing)', 'undefined'],
  'preact: whoever waits is not released': ['bindings/preact/reading', 'release?.();', ';'],
}

/** Which suites look at a room, one after the other until one finds something. Laws a twentieth as often. */
const suites = {
  base: ['^(unit/base/keys|hostile/(depth|keys|payloads|prototypes)|contract/normalize/ownership|contract/rest/laws)\\.test\\.js$', '^(unit/base/plainLaw|laws/agreement)\\.test\\.js$'],
  schema: ['^((contract|unit)/schema/.*|hostile/(identity|keys|polluted|prototypes))\\.test\\.js$', '^laws/index\\.test\\.js$', '^(contract|unit)/view/[a-k].*\\.test\\.js$'],
  normalize: ['^(contract|unit)/(normalize|schema)/.*\\.test\\.js$', '^(unit/normalize/.*|laws/(partial|convergence|idempotence|atomic|agreement))\\.test\\.js$'],
  store: ['^((contract|unit)/store/.*|contract/normalize/stamps|hostile/(patches|depth))\\.test\\.js$', '^laws/(atomic|index|order|agreement|inverse)\\.test\\.js$'],
  view: ['^(contract|unit)/view/[^/]*\\.test\\.js$'],
  rest: ['^(contract|unit)/rest/(laws|[a-zA-Z]+|hostile\\.node|response\\.node|origin\\.node)\\.test\\.js$'],
  managers: ['^contract/managers/(network|polling|refocus|collection)\\.test\\.js$', '^(faults/ends\\.node|unit/managers/(collectionLaw\\.node|night)|contract/regressions/transport\\.node)\\.test\\.js$', '^faults/matrix\\.node\\.test\\.js$'],
  controller: ['^((contract|unit)/controller/.*|faults/(loops|dedupe))\\.test\\.js$', '^contract/regressions/(network|ssr)\\.test\\.js$'],
  solid: ['^contract/bindings/solid(|Conformance|Reading|Rows)\\.test\\.js$'],
  preact: ['^contract/bindings/preact(|Conformance|Renders|Suspense)\\.test\\.js$'],
}

rmSync(folder, { recursive: true, force: true })
for (const part of ['src', 'test', 'bindings']) cpSync(`${from}/${part}`, `${folder}/${part}`, { recursive: true })

/** What a run of suites complains of; undefined when it is content. */
function complaint(pattern) {
  try {
    const said = execFileSync('node', ['--conditions=browser', '--expose-gc', 'node_modules/uvu/bin.js', `${folder}/test`, pattern, '--no-color'], {
      stdio: 'pipe',
      timeout: 300_000,
      maxBuffer: 1e8,
      env: { ...process.env, RUNS_MULTIPLIER: '0.05' },
    }).toString()
    if (!/Total:\s+[1-9]/.test(said)) throw new Error(`No suite is called ${pattern}.`)
    return undefined
  } catch (error) {
    if (error.stdout === undefined) throw error
    // A test that waits for ever lets the process end before it has said which one failed.
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
