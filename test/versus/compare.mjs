// Runs one history through two builds and compares what a user can see after every step.
import { declared } from './declared.mjs'
import { flatten, pickRequest, Side } from './side.mjs'
import { textOf } from './text.mjs'

const settled = () => new Promise(resolve => setImmediate(resolve))

/** Kinds of differences, the most telling first. */
export const kinds = ['oracle', 'view', 'live', 'record', 'base', 'deleted', 'request', 'aborted', 'outcome', 'status', 'commit', 'error', 'history', 'wake', 'repeated', 'identity']

/**
 * Runs `history` through the builds `left` and `right`, each `{ lib, history }`. Gives the first step with undeclared
 * differences, or no difference. `totals` collects statistics; `rules` are the deliberate differences.
 */
export async function runHistory(left, right, history, totals = createTotals(), rules = declared) {
  const first = await compareSides(left, right, history, totals, rules)
  const rule = rules.find(each => each.inTurn)
  if (!first.found || !rule || !history.steps.slice(0, first.end + 1).some(step => step.do === 'drain')) return first.found
  // The left side once more, with the answers of a drain one after the other, in the order of the right side or with another one last.
  let best = first
  for (let last = 0, most = 0; last <= most && best.found; last++) {
    const again = await compareSides(left, right, history, createTotals(), rules, last)
    most = again.mostAnswers
    // A declared difference may have ended both here. Or the sides agree in what differed, and what differs instead is declared.
    const isGone = best.found.differences.every(({ kind, at }) => !again.differing?.some(each => each.kind === kind && each.at === at))
    if (again.end > best.end || (again.end === best.end && !again.found && (best.ends || isGone))) best = again
  }
  if (best !== first) totals.declared[rule.id] = (totals.declared[rule.id] ?? 0) + 1
  return best.found
}

/** Gives the step at which the comparison ended, and the undeclared differences there. */
async function compareSides(left, right, history, totals, rules, last) {
  const sides = [new Side(left.lib, left.history, history.settings, last), new Side(right.lib, right.history, history.settings)]
  const met = new Set()
  const used = new Set()
  const quiet = new Set()
  const idle = new Set()
  const gone = new Set()
  const watch = createWatch(sides[0], met)
  try {
    for (let index = 0; index < history.steps.length; index++) {
      const step = history.steps[index]
      watch.before(step, index)
      const { turning } = sides[1]
      for (const side of sides) side.perform(step)
      await sides[0].answerInTurn(settled)
      totals.steps++
      totals.kinds[step.do] = (totals.kinds[step.do] ?? 0) + 1
      if (sides.every(side => side.isIdle)) {
        idle.add(index)
        continue
      }
      await settled()
      watch.after(step, index)
      if (step.do === 'release' && sides[0].released) totals.kinds[`release ${step.how}`] = (totals.kinds[`release ${step.how}`] ?? 0) + 1
      const found = differences(sides, totals, index === history.steps.length - 1)
      if (found.isQuiet) quiet.add(index)
      for (const name of found.deleted) gone.add(name)
      if (found.length === 0) continue
      const { commits, rows, otherRows, otherBase, readers } = found
      const known = { commits, quiet, idle, gone, turning, sent: sides[1].server.sent, now: sides[1].server.step, isFetching: (...read) => sides[1].isFetching(...read), base: name => otherBase?.get(name), used, rows: [rows, otherRows], record: name => rows.get(name), reader: name => readers.get(name) }
      const context = { history, step, index, before: history.steps.slice(0, index), differences: found, ...known }
      const undeclared = []
      let ends = false
      for (const difference of found) {
        const rule = rules.find(each => !each.pure && each.applies({ ...context, difference }))
        if (rule === undefined) undeclared.push(difference)
        else {
          used.add(rule.id)
          totals.declared[rule.id] = (totals.declared[rule.id] ?? 0) + 1
          ends ||= rule.ends
        }
      }
      if (undeclared.length > 0) return { end: index, ends, mostAnswers: sides[0].mostAnswers, found: { index, step, differences: undeclared.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)) } }
      // From here on the two states are expected to differ.
      if (ends) return { end: index, mostAnswers: sides[0].mostAnswers, differing: found }
    }
    return { end: history.steps.length, mostAnswers: sides[0].mostAnswers }
  } finally {
    for (const side of sides) side.end()
    totals.histories++
    for (const situation of met) totals.met[situation] = (totals.met[situation] ?? 0) + 1
  }
}

export function createTotals() {
  return { histories: 0, steps: 0, comparisons: 0, kinds: {}, declared: {}, met: {} }
}

export function addTotals(into, more) {
  for (const name of ['histories', 'steps', 'comparisons']) into[name] += more[name]
  for (const table of ['kinds', 'declared', 'met']) for (const [name, count] of Object.entries(more[table])) into[table][name] = (into[table][name] ?? 0) + count
}

function differences(sides, totals, all) {
  const [a, b] = sides.map(side => side.observe(all))
  const [left, right] = sides
  const found = Object.assign([], { commits: [a.commitCount, b.commitCount], rows: a.rows, otherRows: b.rows, otherBase: b.base && flatten(b.base), isQuiet: b.commits.length === 0, deleted: b.deleted, readers: new Map() })
  const differ = (kind, at, leftText, rightText) => {
    totals.comparisons++
    if (leftText !== rightText) found.push({ kind, at, left: String(leftText), right: String(rightText) })
  }
  for (const [side, observed] of [['left', a], ['right', b]]) for (const violation of observed.violations) found.push({ kind: 'oracle', at: side, left: side === 'left' ? violation : '', right: side === 'right' ? violation : '' })
  // An effect that ran twice for one commit is a fault of that side, whatever the other does.
  for (const [side, observed] of [['left', a], ['right', b]]) for (const name of observed.repeated) found.push({ kind: 'repeated', at: name, left: side === 'left' ? 'ran twice' : '', right: side === 'right' ? 'ran twice' : '' })
  left.world.readers.forEach(({ name }, i) => {
    const one = a.views[i]
    const other = b.views[i]
    found.readers.set(name, { isSame: [one?.isSame, other?.isSame], mounted: right.isMounted(i) })
    if (one === undefined) return
    if (!one.isSame || !other.isSame) {
      differ('view', name, left.rename(textOf(one.data)), right.rename(textOf(other.data)))
      differ('identity', name, one.isSame ? 'same object' : 'new object', other.isSame ? 'same object' : 'new object')
    } else totals.comparisons++
    if (one.status !== undefined) differ('status', name, one.status, other.status)
    differ('wake', name, a.woken[i] ? 'woken' : 'not woken', b.woken[i] ? 'woken' : 'not woken')
  })
  left.world.live.forEach(({ name }, i) => differ('live', name, left.rename(a.live[i]), right.rename(b.live[i])))
  compareRows('record', a.rows, b.rows)
  // A build may have no patches of the base.
  if (a.base && b.base) compareRows('base', flatten(a.base), flatten(b.base))
  differ('deleted', '', left.rename(a.deleted.join(', ')), right.rename(b.deleted.join(', ')))
  differ('request', '', a.requests.join('\n'), b.requests.join('\n'))
  differ('request', 'open', a.open, b.open)
  differ('aborted', '', a.aborted.join(), b.aborted.join())
  compareOutcomes(a.outcomes, b.outcomes)
  differ('commit', '', a.commits.join(', '), b.commits.join(', '))
  differ('error', '', a.errors.join(', '), b.errors.join(', '))
  differ('history', 'canUndo', a.canUndo, b.canUndo)
  differ('history', 'canRedo', a.canRedo, b.canRedo)
  return found

  function compareRows(kind, rows, others) {
    if (rows === others) return
    const text = (side, record) => (record === undefined ? 'nothing' : side.rename(textOf(record)))
    const names = new Map([...others].map(([name, record]) => [right.rename(name), record]))
    for (const [key, record] of rows) {
      const name = left.rename(key)
      differ(kind, name, text(left, record), text(right, names.get(name)))
      names.delete(name)
    }
    for (const [name, record] of names) differ(kind, name, 'nothing', text(right, record))
  }

  /** Each line begins with the number of its step. */
  function compareOutcomes(list, other) {
    const only = [list.filter(line => !other.includes(line)), other.filter(line => !list.includes(line))]
    const nameOf = line => line.split(' ')[0]
    for (const name of new Set(only.flat().map(nameOf))) differ('outcome', name, ...only.map(lines => lines.filter(line => nameOf(line) === name).join('\n')))
  }
}

/** The hard situations that a history met, found in its requests and steps. */
function createWatch(side, met) {
  const { server } = side
  /** Per table: the step of the last landed write, and of the last landed or shown deletion. */
  const wrote = {}
  const deleted = {}
  const sentAt = new Map()
  const tableOf = url => {
    const name = url.split(/[/?]/)[1]
    return name === 'page' ? 'todos' : name === 'rates' ? 'prices' : name
  }
  let request
  return {
    before(step) {
      request = undefined
      side.released = false
      if (step.do === 'release' && server.open.length > 0) request = pickRequest(server.open, step.nth)
      if (step.do === 'reset' && server.open.length > 0) met.add('reset with requests in flight')
      if (step.do === 'undo' && side.actions.at(-1)?.settled) met.add('undo of a settled call')
      if (step.do === 'call' && side.temporary.length > 0 && JSON.stringify(step.args).includes('$temporary') && side.pending > 0) met.add('temporary pk used by another call')
    },
    after(step, index) {
      for (const sent of server.sent) if (!sentAt.has(sent)) sentAt.set(sent, index)
      if (side.pending >= 2) met.add('two or more pending calls')
      if (request === undefined) {
        if (step.do === 'set') wrote[{ Todo: 'todos', list: 'todos' }[step.of] ?? step.of] = index
        return
      }
      side.released = true
      if (request.answer === undefined && !(request.method === 'DELETE' && step.how === 'ok')) return
      const table = tableOf(request.url)
      if (request.method === 'GET') {
        if (wrote[table] > sentAt.get(request)) met.add('late read over newer data')
        if (deleted[table] > sentAt.get(request)) met.add('delete, then late read')
      }
      wrote[table] = index
      if (request.method === 'DELETE') deleted[table] = index
    },
  }
}
