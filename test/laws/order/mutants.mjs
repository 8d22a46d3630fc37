// Tests the tests: each of these faults, planted in the compiled code, must be found.
//   node test/laws/order/mutants.mjs build [name …]
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { plant, tryAll } from '../../plant.mjs'

const [from = 'build', ...only] = process.argv.slice(2)
const folder = `${from}-mutants`

/** name: file, what is replaced, by what. */
const mutants = {
  'late reads land on top': ['order/log', 'column !== undefined && column.top > place', 'false'],
  'nothing is logged': ['order/log', '=> oldest() < place;', '=> false;'],
  'a push does not meet lists that become known later': ['order/log', 'known ?? unchanged(draft, cell)', 'known'],
  'a refold stops after the first step': ['order/log', 'i >= sure && shared === value && next.stamp === stamp', 'i >= sure'],
  'moves are not made again': ['order/log', 'if (rewritten.size === 0)', 'if (true)'],
  'the log ends with the oldest read': ['order/log', 'if (place === Infinity)', 'if (true)'],
  'rows stand in the order of delivery': ['order/arrivals', 'draft.arriveAt(next[i].cell, start + i)', 'void 0'],
  'what was known later stays there': ['order/arrivals', 'places.get(cell) ?? (', '(places.has(cell) ? 0 : undefined) ?? ('],
  'what came and went has no number': ['store/rows', 'this.#next = Math.max(this.#next, number + 1);', ''],
  'a failed landing stays in the log': ['order/course', 'log.refuse();', ''],
  'a withdrawn write stays': ['order/log', 'entries.filter(entry => entry.item !== item)', '[...entries]'],
  'what is logged is told what the store has': ['normalize/pass', 'this.#kept || ', ''],
  'an entry goes before its place': ['order/column', '> place)\n            at--', '> place - 2)\n            at--'],
  'places are milliseconds': ['order/course', 'date > last ? date : last + 1', 'date'],
  'held writes sink at once': ['order/course', '|| intents.overlap(intent.footprint, intent)', ''],
  'held writes never sink': ['order/course', 'for (const intent of [...intents.keys()])', 'for (const intent of [])'],
  'equal rows are new objects': ['order/course', 'const shown = keepSeen(', 'const shown = ((_, next) => next)('],
  'what sank is not compared': ['order/course', '!sunk)', 'true)'],
  'tables that show the same are new': ['order/visible', 'view: reused(seen, shared)', 'view: shared'],
  'layers are not run again': ['order/intent', 'made.beneath !== at', 'made.after === undefined'],
  'the last call lies lowest': ['order/intent', 'this.set(intent, {});', 'const others = [...this.keys()]; this.set(intent, {}); this.#arrange([intent, ...others]);'],
  'renamed layers keep what they expected': ['order/call', 'this.args = args;\n        this.prepared = undefined;', 'this.args = args;'],
  'renamed calls are about what they were': ['order/call', 'this.footprint.rename(names);', ''],
  'overlap is looked for among later ones too': ['order/intent', 'if (intent === until)\n                return false;', 'if (intent === until) continue;'],
  'an optimistic answer is asked for once': ['order/call', '!this.#looks.same(this.#host.snapOf(beneath))', 'false'],
  'an optimistic answer looks at the base': ['order/call', 'this.#looks.same(this.#host.snapOf(beneath))', 'true'],
  'an abort leaves a layer': ['order/call', 'this.optimistic = false;', ';'],
  'an error of a layer ends the write': ['order/call', 'draft.abandon();', 'draft.abandon(); throw error;'],
  'temporary pks are the same in all layers': ['order/names', '${this.#prefix}${call}.', '${this.#prefix}'],
  'a call is about nothing': ['order/call', 'footprintOfCall(endpoint, args)', 'footprintOfCall(endpoint, [])'],
  'a layer does not mark deletions': ['order/over', 'if (beneath?.deleted === stamp?.deleted)', 'if (true)'],
  'a layer is older than everything': ['order/over', 'fetchedAt: Infinity', 'fetchedAt: -1'],
  'answers are not held': ['order/timeline', 'const waits = intents.overlap(call.footprint, call);', 'const waits = false;'],
  'writes are not held': ['order/timeline', 'held !== undefined && intents.overlap(held.footprint)', 'false'],
  'updaters are not held': ['order/timeline', 'if (intents.overlap(about))', 'if (false)'],
  'answers from before a reset land': ['order/timeline', 'if (begun.epoch !== epoch)', 'if (false)'],
  'a second delivery lands': ['order/timeline', 'if (read.done)', 'if (false)'],
  'layers survive a reset': ['order/timeline', 'intents.clear();', ''],
  'what waits for a failed create stays': ['order/timeline', '!(intent instanceof Held) ||', 'true ||'],
  'a failed call stays': ['order/timeline', 'change(cause, () => {\n                intents.delete(call);', 'change(cause, () => {'],
  'moves are not told': ['order/timeline', '() => tell(moved)', '() => {}'],
  'writes may nest': ['order/course', 'if (busy)', 'if (false)'],
  'what is logged is not done': ['order/log', 'runStep(draft, step, item.stamp);', ';'],
  'a commit takes the view for the base': ['store/store', '{ before: store.base, after: base }', 'undefined'],
  'a settled call stays': ['order/intent', 'if (next === undefined)\n            this.delete(intent);', 'if (next === undefined) ;'],
  'a foreign removal is no deletion': ['order/foreign', 'else if (!lost)', 'else if (false)'],
  'a foreign field takes the whole row': ['order/foreign', 'if (whole || !isPlain(to)', 'if (true || !isPlain(to)'],
  'pending calls keep temporary pks': ['order/intent', 'intent.rename(names);', ';'],
  'who waited for a pk keeps its turn': ['order/intent', '...earlier.filter(intent => !isLate(intent)), ...earlier.filter(isLate)', '...earlier'],
  'the record of a creation counts from its answer': ['normalize/fold', 'about.first && ', 'false && '],
  'a creation brings back what was deleted': ['normalize/fold', 'existing !== undefined || known?.deleted', 'existing !== undefined'],
  'what was known before is created': ['order/prepare', 'rowOf(before, cell) === undefined && stampOf(before, cell) === undefined', 'true'],
  'an updater whose row is not there yet is lost': ['order/prepare', '(existing === undefined && !again)', 'existing === undefined'],
  'a doubt that nobody shows is forgotten': ['controller/doubts', 'doubts.set(target, timeline.now().fetchedAt)', 'void 0'],
  'an updater makes a row': ['order/prepare', 'if (before.value === undefined)\n            return before;', 'if (before.value === undefined) return { value: record, stamp: before.stamp };'],
  'an updater keeps its first outcome': ['order/prepare', 'before.value === existing ? record', 'true ? record'],
  'updates meet only results that are there': ['order/prepare', 'kept ? draft.intern(endpoints, name) : endpoints.find(name)', 'endpoints.find(name)'],
  'what waits for a pk waits for nobody': ['controller/requests', 'if (left === 0)', 'if (true)'],
  'what waits for two pks waits for one': ['controller/requests', '--left === 0 && go()', 'left-- === creations.length && go()'],
  'an ended call is sent': ['controller/requests', 'if (flight.settled)\n                return;', ''],
  'an ended request is settled once more': ['controller/flight', 'if (settled)\n            return;', ''],
  'an ended call keeps its layer': ['controller/requests', 'drop();', ''],
  'calls have no lanes': ['controller/requests', 'lane: mutation.lane', 'lane: undefined'],
  'calls are sent as they were made': ['controller/requests', 'const { endpoint, lane = {} } = mutation;', 'const { endpoint, args: made, lane = {} } = mutation;', 'return timeline.names.current(mutation.args);', 'return made;'],
  'a reset ends nothing': ['controller/Controller', 'requests.endAll(() => new ResetError());', ''],
  'a reset asks for what is in doubt': ['controller/requests', 'if (!ending && ', 'if ('],
  'the first call ends first': ['controller/requests', '.filter(which).reverse()', '.filter(which)'],
  'reads are not shared': ['controller/requests', 'reads.get(key) ?? read', 'read'],
  'calls are never seen to meet': ['controller/overlaps', 'open.loose && open.count > 1', 'false'],
  'calls that meet are asked for one by one': ['controller/overlaps', 'if (--open.count > 0)\n                return;', '--open.count;'],
  'a version does not count': ['controller/overlaps', '&& !versioned', ''],
  'calls meet under the pk they were made for': ['controller/requests', 'let over = () => { };', 'const met = overlaps(mutation); let over = met;', 'over = overlaps(mutation);', ''],
  'what was undone under way is not asked for': ['controller/overlaps', 'undone || (', 'false || ('],
  'history keeps temporary pks': ['controller/history', 'readdress(key, from, to, true)', 'undefined'],
  'history keeps pks': ['controller/history', 'readdress(key, from, to, false)', 'undefined'],
  'bodies keep pks': ['controller/addressed', 'classes.reduce(', '[].reduce('],
  'what is sent back keeps pks': ['controller/callStep', 'if (done?.previous)', 'if (false)'],
  'a body keeps its own pk': ['controller/addressed', 'const own = itself &&', 'const own = false &&'],
  'a failed undo is undone': ['controller/history', 'from.push(group);', ''],
  'a failed undo is not told': ['controller/history', 'failure.value = error;', ''],
  'a reset does not end an undo': ['controller/history', 'epoch === started && ', ''],
  'a failed call stays a step': ['controller/callStep', 'if (!step.undone)', 'if (false)'],
  'a call that fails when done again is no step': ['controller/callStep', 'if (!step.undone)', 'if (true)'],
  'an undo takes what others have changed': ['controller/callStep', '!equal(now[field], after[field]) &&', 'false &&'],
  'an undo of a write takes what others have changed': ['controller/inverse', '!equal(now[field], made[field])', 'false'],
  'a group is undone first first': ['controller/history', '[...group.steps].reverse()', 'group.steps'],
  'half a group is undone': ['controller/history', 'await each(!back);', ';'],
  'an undo aborts nothing': ['controller/callStep', 'abort?.();', ''],
  'what is called after a call that waits goes first': ['controller/requests', 'late.set(lane, after)', 'void 0'],
  'an undo forgets answers that wait': ['order/timeline', 'intent instanceof Held && !intent.handle', 'false'],
  'what waited for a call counts as done by it': ['controller/requests', 'record(mutation.said)', 'record(told())'],
  'undo and redo take no turns': ['controller/history', 'before.length > 0', 'false'],
  'a redo waits always': ['controller/history', 'const isLate = back ||', 'const isLate = true ||'],
  'a redo does not wait for what is being made': ['controller/history', 'const isLate = back ||', 'const isLate = back || false &&'],
  'a redo does not wait for a group': ['controller/history', ' || other.steps.length > 1', ''],
  'a group goes on though it was turned': ['controller/history', 'turned() || step.undone', 'step.undone'],
  'a step is done twice': ['controller/history', ' || step.undone === isBack', ''],
  'a redo that is undone goes on': ['controller/history', 'if (step.undone)', 'if (false)'],
  'a write that came to nothing is a step': ['controller/setStep', 'if (this.#changes.length === 0)', 'if (false)'],
  'a move from nowhere stays there': ['order/call', '[this.before, this.said]', '[this.before]'],
}

rmSync(folder, { recursive: true, force: true })
for (const part of ['src', 'test', 'bindings']) cpSync(`${from}/${part}`, `${folder}/${part}`, { recursive: true })
const node = (...args) => execFileSync('node', ['--conditions=browser', ...args], { stdio: 'pipe', timeout: 60_000, env: { ...process.env, RUNS_MULTIPLIER: '0.2' } })
const suites = pattern => ['node_modules/uvu/bin.js', `${folder}/test`, pattern, '--no-color']
const ordered = [[`${folder}/test/laws/order/trial.js`, '400'], suites('((contract|unit)/order/[^/]*|contract/regressions/orderCalls|contract/controller/readdress)\\.test\\.js$')]
const throughController = [suites('contract/(regressions/orderCalls|controller/(history|historyMentions|quick|readdress|overlap)|undo/undo\\.node)\\.test\\.js$'), suites('laws/order/(truth\\.node|traffic)\\.test\\.js$')]
const reasonOf = error => (error.stdout?.toString() ?? '').split('\n').find(line => /history|FAIL/.test(line))?.trim() ?? (error.signal ? 'never ends' : String(error.stderr).split('\n').find(line => /Error/.test(line)))

const pathOf = file => `${folder}/src/${file}.js`
const wanted = Object.entries(mutants).filter(([name]) => only.length === 0 || only.some(part => name.includes(part)))
tryAll(wanted.map(([name, [file, ...pairs]]) => [pathOf(file), name, pairs]))

let survivors = 0
for (const [name, [file, ...pairs]] of wanted) {
  const takeOut = plant(pathOf(file), name, pairs)
  let found
  for (const look of file.startsWith('controller/') ? throughController : ordered) {
    if (found !== undefined) break
    try {
      // A test that waits for ever lets the process end without a word.
      if (node(...look).includes('Exiting early')) found = 'Exiting early'
    } catch (error) {
      found = reasonOf(error)
    }
  }
  takeOut()
  if (found === undefined) survivors++
  console.log(`${found === undefined ? 'SURVIVED' : 'found   '} ${name}${found === undefined ? '' : `: ${found}`}`)
}
rmSync(folder, { recursive: true, force: true })
console.log(`${wanted.length} faults, ${survivors} not found.`)
process.exitCode = survivors === 0 ? 0 : 1
