// The deliberate differences between 0.1.0 (left) and version 2 (right). Everything else is a fault.
//
// A rule has a name, a reason, and a predicate of { history, step, index, before, difference, differences, commits, quiet, idle, gone, turning, sent, now, isFetching, base, used, record, rows, reader }:
//   before        the steps before this one
//   difference    { kind, at, left, right } as text; kinds are listed in compare.mjs
//   differences   all differences of this step
//   commits       the number of commits in this step, [left, right]
//   quiet         the steps in which the right side changed nothing, by index
//   idle          the steps of which neither build has heard, by index: such as an undo that was left out because a call is in flight
//   gone          the rows that the right side knew as deleted after this step or an earlier one, by name
//   turning       how many undos and redos of the right side were in flight before this step
//   sent          the requests of the right side until now: { method, url, body, during, released, status, answer }, during being what the step does
//   now           the number of this step, by which `released` tells when a request was answered, and outcomes are named
//   isFetching    whether the right side has a read in flight, by name and arguments
//   base          gives the confirmed record of the right side by name
//   used          ids of the rules that this history has used before
//   record        gives the stored record of the left side by name, such as `Todo 1`
//   rows          the stored records of both sides by name, [left, right]
//   reader        gives { isSame: [left, right], mounted } of a reader by name: whether it shows the same object as before
// After an `ending` rule the states are expected to differ, and the history stops there.
// A `pure` rule concerns the comparison of the pure functions; it gets { difference, differences, input, args, schema, kind, earlier, states }:
//   input         the payload, if one was normalized, with its arguments and its schema of the left side
//   kind          the name of the schemas in the zoo
//   earlier       the exported states before this round and the earlier ones, of the left side
//   states        the documents after it, [left, right]
// The comment above a rule names the text that allows it, in the design of version 2.
// Keep predicates narrow: a rule that is too wide hides faults. The summary of a run shows how often each was used.

import { freshText } from './text.mjs'

const allReaders = /^get (all|allTasks|allUsers|allItems|done)\(/
const cyclicReaders = /^(Projects|Tasks)\.|^get (projectTasks|allTasks)\(/
const detailReaders = /^(\w+\.get|item)\(/
const listReaders = /^(\w+\.getList|feed)\(/

/** The lines of an outcome without those that both sides have. */
const lines = text => text.split('\n').filter(line => line !== '')
/** The lines that `list` has more often than `other`. */
const surplus = (list, other) => {
  const left = [...other]
  return list.filter(line => (left.includes(line) ? void left.splice(left.indexOf(line), 1) : true))
}
/** Whether two lists as text have the same members in another order. */
const isReordered = (left, right) => members(left).sort().join() === members(right).sort().join()
const members = text => text.slice(1, -1).split(/, (?=[A-Z]\w* \{|")/)
/** `expiryStatus expiresAt rest`: whether only the expiry differs, and the right side has none. */
const isExpired = (left, right) => {
  const [status, , ...rest] = left.split(' ')
  return right === [status, '0', ...rest].join(' ')
}
/** A status without the request of the read and its error. */
const withoutRequest = text => text.replace(/ fetching| \w+Error.*/g, '')
/** Whether one of the calls or reads until now was of an endpoint. */
const hasUsed = (history, index, pattern) => history.steps.slice(0, index + 1).some(step => [step, ...(step.steps ?? [])].some(each => pattern.test(each.of ?? '')))
/** These are faults of one side, whatever the other does. */
const isNoFault = ({ kind }) => kind !== 'oracle' && kind !== 'repeated'
/** Whether a reader shows equal data on both sides. */
const showsTheSame = (differences, at) => !differences.some(each => each.kind === 'view' && each.at === at)
const creations = /\.(push|unshift|move)$|^counted$/
/** Whether a creation or deletion may have expired the list that a reader shows. The undo of a removal or deletion is a creation. */
const mayExpire = (history, index, at) =>
  (listReaders.test(at) || /^(Projects|Tasks)\./.test(at)) &&
  (hasUsed(history, index, creations) || (/orderBy/.test(at) && hasUsed(history, index, /\.delete$/)) ||
    (hasUsed(history, index, /\.(remove|delete)$/) && history.steps.slice(0, index).some(each => each.do === 'undo')))
/** Whether the server may have another record than the store: calls have overlapped, or one was undone or refused. */
const hasUncertain = (history, index) => hasUsed(history, index, /^loose$/) || history.steps.slice(0, index + 1).some(each => each.do === 'undo' || each.how === '409')
/** Whether a request is for a page of a list. A page may be asked for without its cursor, too. */
const isPage = (url, before) => /^\/todos\?cursor=/.test(url) || (url === '/todos' && before.some(each => each.of === 'more' && each.args?.some(arg => arg?.cursor === undefined)))
/** Whether a page was answered when its list was there: then it was appended. */
const hasPages = (before, sent) =>
  sent.some(page => page.answer && isPage(page.url, before) &&
    (sent.some(list => list !== page && list.url === '/todos' && list.answer && list.released <= page.released) || before.some(each => each.do === 'setResponse' && each.of === 'Todos.getList' && each.args.length === 0)))
/** Method, URL and body of a request as text. */
const requestIn = line => {
  const [, method, url, body] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? []
  return { method, url, body: /^\{/.test(body) ? JSON.parse(body) : {} }
}
const tableOf = { todos: 'Todo', users: 'User', docs: 'Doc', tasks: 'Task', projects: 'Project', rated: 'Rated', logs: 'Log' }
/** Whether an undo leaves out a field: the confirmed record has another value than the call that is undone has sent. */
const isConflict = (url, field, sent, base) => {
  const [, table, pk] = url.split('/')
  const call = sent.findLast(each => each.url === url && Object.hasOwn(requestIn(`X ${url} ${each.body}`).body, field))
  return JSON.stringify(base(`${tableOf[table]} ${pk}`)?.[field]) !== JSON.stringify(call && requestIn(`X ${url} ${call.body}`).body[field])
}
/** Whether a PATCH has sent the value of a field that the request of its undo would send: then it has not changed the field. */
const isUnchanged = ({ url, body }, field, sent) => sent.some(each => each.method === 'PATCH' && each.url === url && JSON.stringify(requestIn(`X ${url} ${each.body}`).body[field]) === JSON.stringify(body[field]))
/** The fields of a record as text, each as text. */
const fieldsIn = text => Object.fromEntries(text.slice(2, -2).split(/, (?=\w+: )/).map(field => [field.slice(0, field.indexOf(': ')), field.slice(field.indexOf(': ') + 2)]))
/** Whether two statuses differ only in when they expire. */
const expireAtOtherTimes = (left, right) => /^\d [1-9]\d*( fetching)?$/.test(right) && left !== right && left.replace(/ \d+/, '') === right.replace(/ \d+/, '')

/** Whether two requests were in flight at the same time. */
const haveMet = (one, other) => one.step < (other.released ?? Infinity) && other.step < (one.released ?? Infinity)
/** Whether two of the calls were in flight at the same time. */
const someHaveMet = sent => sent.some((one, i) => one.method !== 'GET' && sent.slice(i + 1).some(other => other.method !== 'GET' && haveMet(one, other)))
/** Whether one of the calls was never sent. */
const hasUnsent = (before, sent) =>
  before.flatMap(each => [each, ...(each.steps ?? [])]).filter(each => each.do === 'call').length > sent.filter(({ method, during }) => method !== 'GET' && during !== 'undo' && during !== 'redo').length
/** The pks of the rows in the answer of a request, with those inside of them. */
const pksIn = ({ answer }) => {
  const idsIn = value => (typeof value === 'object' && value !== null ? [value.id, ...Object.values(value).flatMap(idsIn)] : [])
  return idsIn(answer)
}

/** The fields that classes of the world declare with a default other than `undefined`, by endpoint. */
const fieldsOf = {
  Todos: ['Todo', 'title', 'n', 'done', 'group', 'tags'], Users: ['User', 'name', 'username'], Projects: ['Project', 'name', 'tasks'], Tasks: ['Task', 'title'],
  Comments: ['Comment', 'text', 'author'], Logs: ['Log', 'entries'], Rateds: ['Rated', 'title', 'rev'], Docs: ['Doc', 'title', 'rev'],
}
const relations = { owner: 'Users', author: 'Users' }
/** The field that an updater of side.mjs changes. */
const fieldOf = { inc: 'n', double: 'n', toggle: 'done', tag: 'tags', rename: 'title', untitle: 'title' }

/** Whether the record that a detail shows, or one that it refers to, lacks a declared field. */
function isIncomplete(at, record) {
  const [, name, id] = /^(\w+)(?:\.get)?\(\{"id":"([^"]*)"\}\)$/.exec(at) ?? []
  const lacks = (table, pk) => {
    const [key, ...fields] = fieldsOf[table]
    const row = record(`${key} ${pk}`)
    return row !== undefined && (fields.some(field => !Object.hasOwn(row, field)) || Object.keys(relations).some(field => typeof row[field] === 'string' && lacks(relations[field], row[field])))
  }
  if (name !== 'item') return fieldsOf[name] !== undefined && lacks(name, id)
  const [note, photo] = [record(`Note ${id}`), record(`Photo ${id}`)]
  return (note !== undefined && !Object.hasOwn(note, 'text')) || (photo !== undefined && !Object.hasOwn(photo, 'url'))
}

/** Whether a read leads to a pk through stored records; the row itself may be deleted. Pks are unique across tables. */
function leadsTo(at, pk, rows) {
  const [, name, args] = /^([\w.]+)\((.*)\)$/.exec(at)
  const { id, cursor: _cursor, ...list } = args === '' ? {} : JSON.parse(args)
  const key = { more: 'Todo', open: 'Todo', feed: 'Note;Photo' }[name] ?? fieldsOf[name.split('.')[0]]?.[0]
  const isFirst = row => name === 'page' ? /^result .*\/page$/.test(row) : id === undefined && row === `[${key}] ${JSON.stringify(list)}`
  const found = new Set(id === undefined ? [] : [id])
  const follow = record => void JSON.stringify(record, (_, value) => (typeof value === 'string' && found.add(value), value))
  for (const [row, record] of rows) if (isFirst(row)) follow(record)
  for (const each of found) for (const [row, record] of rows) if (row.endsWith(` ${each}`)) follow(record)
  return found.has(pk)
}

/** The records of a row in an exported state, null for a deleted one. */
const recordsOf = ({ entities }, key, pk) => entities.flatMap(([name, rows]) => (name === key ? rows.filter(([id]) => id === pk).map(([, record]) => record) : []))

/** Whether two documents have the same rows, in the same order but for those that `isFree` accepts. */
function differInOrder(states, isFree) {
  const isSame = change => {
    const [left, right] = states.map(({ entities, endpoints }) => freshText({ endpoints, entities: new Map([...entities].map(([key, rows]) => [key, change(rows, key)])) }))
    return left === right
  }
  return isSame((rows, key) => rows.filter(([pk]) => !isFree(key, pk))) && isSame(rows => rows.map(freshText).sort())
}

const lasting = (id, reason, applies) => ({ id, reason, applies })
const ending = (id, reason, applies) => ({ id, reason, applies, ends: true })
/** The comparison itself finds out whether such a rule applies: see `runHistory`. */
const inTurn = (id, reason) => ({ id, reason, applies: () => false, inTurn: true })
const pure = (id, reason, applies) => ({ id, reason, applies, pure: true })

export const declared = [
  // invariants.md, relaxed table: order of `All`
  lasting('order of All', 'a late read may add its new rows last',
    ({ difference: { kind, at, left, right }, used }) =>
      allReaders.test(at) && (kind === 'view' ? isReordered(left, right) : (kind === 'identity' || kind === 'wake') && used.has('order of All'))),
  // invariants.md, INV-23
  // The right side shows the very object that it showed before, and both show the same.
  lasting('wakes less', 'version 2 keeps an object, and wakes nobody, where 0.1.0 makes an equal one',
    ({ difference: { kind, at, right }, differences, reader }) =>
      ((kind === 'identity' && right === 'same object') || (kind === 'wake' && right === 'not woken')) && reader(at).isSame[1] === true &&
        showsTheSame(differences, at)),
  // design.md, Views; code: 64 of them are retained for a minute, or until garbage is collected
  // A reader that has just been mounted was not watched before.
  lasting(
    'read that nobody watches',
    'nodes that nobody reads are released; a view that changed and changed back between two looks is another object',
    ({ step, difference: { kind, at, right }, differences, reader }) =>
      kind === 'identity' && right === 'new object' && (!reader(at).mounted || step.do === 'toggle') && showsTheSame(differences, at)),
  // invariants.md, relaxed table: INV-23
  lasting(
    'equal cycle',
    'views that refer to each other in a circle are made anew when a row that they depend on was written, though they show the same',
    ({ difference: { kind, at, right }, differences, commits }) =>
      cyclicReaders.test(at) && commits[1] > 0 && ((kind === 'identity' && right === 'new object') || (kind === 'wake' && right === 'woken')) &&
        showsTheSame(differences, at)),
  // invariants.md, relaxed table: INV-23
  lasting('changed and changed back', 'a row that one commit of a step hides and another shows again is another object',
    ({ step, difference: { kind, at, right }, differences, commits }) =>
      step.do === 'group' && commits[1] > 1 && kind === 'identity' && right === 'new object' && showsTheSame(differences, at)),
  // behaviour.md 1, Indexes; relaxed table: order of `All`
  lasting('several rows with one value', 'which of several rows with the same value an index finds depends on the order of arrival',
    ({ difference: { kind, at, left, right }, rows, used }) => {
      const [, value] = /^get User\(\{"username":"(\w+)"\}\)$/.exec(at) ?? []
      if (value === undefined) return false
      if (kind !== 'view') return (kind === 'identity' || kind === 'wake') && used.has('several rows with one value')
      const isMatch = text => text.startsWith('User {') && text.includes(`username: "${value}"`)
      return isMatch(left) && isMatch(right) &&
        rows.every(each => [...each].filter(([name, record]) => name.startsWith('User ') && record.username === value).length > 1)
    }),
  // behaviour.md 7, undo
  ending('undo of a call in flight', 'a call in flight is not aborted by its undo: it loses its layer, and is compensated when it settles',
    ({ before, history, step, index, difference, differences }) => {
      const last = before.findLast(each => each.do === 'undo' || each.do === 'call')
      // Where 0.1.0 could not abort it either, only the compensating request tells.
      const abortsMore = each => each.kind === 'aborted' && each.left.length > each.right.length
      const hasGroup = before.some(each => each.do === 'group')
      if (step.do === 'release' || step.do === 'drain') return (
        // The calls of a group are undone one after the other.
        (hasGroup && before.some(each => each.do === 'undo') && isNoFault(difference) && differences.some(abortsMore)) ||
          (last?.do === 'undo' && difference.kind === 'request' && (hasGroup || hasUsed(history, index, /^loose$/)) && differences.every(({ kind }) => kind === 'request') &&
            differences.some(({ at, left, right }) => at === '' && left === '' && /^(PATCH|PUT|DELETE) \S+/.test(right))))
      // 0.1.0 shows the creation of a group until its answer.
      const isCreation = each => each.kind === 'record' && /^\w+ temporary-\d+$/.test(each.at) && each.right === 'nothing' && before.some(({ do: verb }) => verb === 'group')
      // And it marks a row as deleted that it does not have.
      const isDeletion = each => each.kind === 'deleted' && each.left.length > each.right.length && before.some(({ steps = [] }) => steps.some(({ of }) => /\.delete$/.test(of)))
      return step.do === 'undo' && isNoFault(difference) &&
        differences.some(each => isCreation(each) || isDeletion(each) || abortsMore(each) || (each.kind === 'outcome' && /rejected AbortError/.test(each.left) !== /rejected AbortError/.test(each.right)) || (each.kind === 'commit' && /\bundo\b/.test(each.right) && (hasGroup ? surplus(each.right.split(', '), each.left.split(', ')).includes('undo') : !/\bundo\b/.test(each.left))))
    }),
  // behaviour.md 7, temporary pks (what waited fails with it)
  lasting('write that goes with its creation', 'a local write that names what a call creates, and a call that waits for it, go in the commit that drops the call; 0.1.0 ends each in another one',
    ({ before, step, difference: { kind, left, right }, differences }) =>
      step.do === 'undo' && kind === 'commit' && /^(fail, )+undo$/.test(left) && right === 'fail' && differences.every(each => each.kind === 'commit' || each.right === 'same object' || each.right === 'not woken') &&
        before.some(each => each.do === 'group' && each.steps.some(inner => inner.do === 'set' && JSON.stringify(inner).includes('$temporary')))),
  // behaviour.md 7, undo: delete → create with the previous record
  ending('undo of a deletion after a patch', 'a deletion whose row a patch has removed before the answer is undone by making the row again; 0.1.0 knows no record to send, and skips it',
    ({ before, step, difference: { kind }, differences }) =>
      step.do === 'undo' && kind !== 'oracle' && kind !== 'repeated' && differences.some(each => {
        const [, pk] = /^POST \/\w+ \{"id":"(\w+)"/.exec(each.right) ?? []
        const removes = patch => patch.op === 'remove' && patch.path.length === 3 && patch.path[2] === pk
        return each.kind === 'request' && each.left === '' && pk !== undefined && before.some(({ do: verb, of, args }) => verb === 'call' && /\.delete$/.test(of) && String(args[0]?.id) === pk) &&
          before.some(({ do: verb, patches }) => verb === 'patch' && patches.some(removes))
      })),
  // behaviour.md 7, undo: the previous values; code: Requests, #land
  ending(
    'undo of a call that was sent twice',
    'the previous values are those from before the first attempt, which may have changed what was read since; 0.1.0 takes those from before the last one',
    ({ history, step, difference, differences, sent }) => {
      const own = differences.find(({ kind, at }) => kind === 'request' && at === '')
      const [, call] = /^((?:PUT|PATCH) \S+) /.exec(own?.left ?? '') ?? []
      const isRepeated = ({ method, url, body }, i) => `${method} ${url}` === call && sent.slice(0, i).some(each => each.method === method && each.url === url && each.body === body)
      return history.settings.retry && step.do === 'undo' && isNoFault(difference) && sent.some(isRepeated) &&
        (own.right === '' ? differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ undo resolved \{ kept: \[.*\] \}$/.test(each.right)) : own.right.startsWith(`${call} `))
    }),
  // behaviour.md 7, undo: the previous values of the fields
  ending('undo of a field that somebody else has removed', 'a field that was absent before the call is sent as null, also if a patch has removed it; 0.1.0 does not undo it at the server',
    ({ before, step, difference, differences }) =>
      step.do === 'undo' && isNoFault(difference) && before.some(each => each.do === 'patch') && differences.some(({ kind, at, left, right }) => {
        const [was, is] = [left, right].map(text => /^((?:PUT|PATCH) \S+) (\{.*\})$/.exec(text))
        if (kind !== 'request' || at !== '' || was?.[1] === undefined || was[1] !== is?.[1]) return false
        const [less, more] = [JSON.parse(was[2]), JSON.parse(is[2])]
        return freshText(more) === freshText({ ...less, ...Object.fromEntries(Object.keys(more).filter(name => !(name in less)).map(name => [name, null])) })
      })),
  // behaviour.md 1, Views: pk without record
  ending('removed list', 'a list that a patch or an undo removes is missing, not deleted: an entity that shows it stays',
    ({ difference, differences }) =>
      isNoFault(difference) && ['deleted', 'status'].includes(difference.kind) &&
        differences.some(({ kind, left, right }) => kind === 'deleted' && left.split(', ').filter(name => !right.includes(name)).some(name => /^\[\w+\] /.test(name)))),
  // behaviour.md 7, undo (mutations of one entity are sent one after the other)
  ending('redo of an undo in flight', 'a redo waits for the compensating request of the undo before it; 0.1.0 sends both at once',
    ({ before, step, difference, differences, now, sent }) => {
      const isDropped = each => each.kind === 'request' && each.at === '' && each.left !== '' && each.right === ''
      // A redo that is undone while it waits never sends its deletion.
      const turns = before.map(each => each.do).filter(verb => verb === 'undo' || verb === 'redo').join()
      // 0.1.0 deletes the row that was made again, or the old one once more.
      const isMade = sent.some(each => each.method === 'POST' && each.during === 'undo' && each.released === now)
      const isDeletion = line => (/^DELETE \/\w+\/s\d+$/.test(line) && turns.endsWith('undo,redo,undo')) ||
        (isMade && turns.includes('undo,redo,undo') && sent.some(each => each.method === 'DELETE' && line === `DELETE ${each.url}`))
      // 0.1.0 makes a redo that waited, and was undone meanwhile, when the user did something else since: that has emptied the list by which it knows.
      const isPassed = turns.endsWith('undo,redo,undo') && before.slice(before.findLastIndex(each => each.do === 'undo')).some(each => ['call', 'group', 'set'].includes(each.do))
      const withoutPk = line => line.replace(/^(\w+ \/\w+)\/\w+/, '$1')
      const isRepeated = line => isPassed && sent.some(({ during, method, url, body }) => during === 'call' && withoutPk(line) === withoutPk(`${method} ${url} ${body}`))
      const isVisibleOnly = ['request', 'view', 'live', 'record', 'commit', 'wake', 'identity'].includes(difference.kind) && !differences.some(each => each.kind === 'base')
      if (step.do === 'drain' || step.do === 'release') return (difference.kind === 'request' && differences.some(each => isDropped(each) && isDeletion(each.left))) ||
        (isVisibleOnly && differences.some(each => isDropped(each) && isRepeated(each.left)))
      return step.do === 'redo' && isNoFault(difference) &&
        differences.some(each => isDropped(each) || (each.kind === 'outcome' && /^#\d+ redo resolved/.test(each.left) && each.right === ''))
    }),
  // invariants.md, relaxed table: undo of a deleted-and-recreated row
  ending(
    'redo of a deletion whose undo is in flight',
    'the redo deletes the row that the undo is making, when it is there; 0.1.0 deletes the old row, which a response has brought back since',
    ({ base, before, history, step, index, difference: { kind }, differences }) =>
      step.do === 'redo' && hasUsed(history, index, /\.delete$/) && before.findLast(each => each.do === 'undo' || each.do === 'redo')?.do === 'undo' &&
        ['view', 'live', 'record', 'deleted', 'status', 'commit', 'wake', 'identity'].includes(kind) &&
        differences.filter(each => each.kind === 'record').every(({ at, left }) => left === 'nothing' && base(at) !== undefined) &&
        differences.some(each => each.kind === 'commit' && each.left === 'call' && each.right === '')),
  // behaviour.md 7: a mutation makes a layer at once
  ending('redo of a group whose undo is in flight', 'the calls of the group show at once and are sent after the undo; 0.1.0 does not show them before',
    ({ before, step, difference: { kind }, differences }) =>
      step.do === 'redo' && before.some(each => each.do === 'group') && before.findLast(each => each.do === 'undo' || each.do === 'redo')?.do === 'undo' &&
        ['view', 'live', 'record', 'commit', 'wake', 'identity'].includes(kind) && !differences.some(each => each.kind === 'base') &&
        differences.some(each => each.kind === 'commit' && each.left === '' && each.right === 'call')),
  // behaviour.md 7, temporary pks
  ending('temporary pks of a redo', 'a call that failed is made again under its id: its temporary pks are the same as before',
    ({ history, index, difference, differences }) => {
      const unnamed = text => text.replaceAll(/temporary-\d+/g, 'temporary')
      const named = differences.filter(({ at }) => unnamed(at) !== at)
      const [lefts, rights] = ['left', 'right'].map(side => named.map(each => `${each.kind} ${unnamed(each.at)} ${unnamed(each[side])}`).sort().join('\n'))
      return isNoFault(difference) && history.steps.slice(0, index + 1).filter(each => each.do === 'redo').length > 1 && named.length > 0 && lefts === rights &&
        differences.every(each => named.includes(each) || (each.left !== each.right && unnamed(each.left) === unnamed(each.right)))
    }),
  // behaviour.md 7, undo (if that request fails, the undo is undone)
  ending('redo of an undo that fails', 'an undo that fails is undone: a redo that waits for it has nothing left to send',
    ({ before, idle, step, difference, differences, now, sent }) => {
      const last = before.findLastIndex((each, i) => each.do === 'redo' && !idle.has(i))
      const later = before.slice(last + 1)
      const isLast = last >= 0 && later.every((each, i) => each.do !== 'undo' || idle.has(last + 1 + i) || later.slice(0, i).some(({ do: verb }) => verb === 'set'))
      // Also if the server no longer has the row.
      const isMissing = sent.some(each => each.released === now && /^(PUT|PATCH)$/.test(each.method) && each.answer === undefined)
      const isFailure = step.do === 'tick' || (step.do === 'drain' && isMissing) || (step.do === 'release' && (isMissing || (step.how !== 'ok' && step.how !== 'stale')))
      const isAllowed = ({ kind }) => {
        if (['request', 'status', 'outcome', 'history'].includes(kind)) return true
        // A local write that was made since has no call below it any more.
        if (kind === 'base') return later.some(each => each.do === 'set') && !differences.some(each => each.kind === 'record')
        // What somebody else has changed since shows again.
        return before.some(each => each.do === 'patch' || each.do === 'setResponse') && differences.some(each => each.kind === 'commit' && surplus(each.left.split(', '), each.right.split(', ')).join('') === '' && surplus(each.right.split(', '), each.left.split(', ')).join() === 'fail')
      }
      return isLast && isFailure && isNoFault(difference) && isAllowed(difference) &&
        differences.some(({ kind, at, left, right }) => {
          // A read that has timed out as well is sent again by both.
          const [less, more] = [surplus(lines(left), lines(right)).join('\n'), surplus(lines(right), lines(left)).join('\n')]
          return kind === 'request' && at === '' && /^(PATCH|PUT|DELETE) \S+/.test(less) &&
            // A call that was made since is next.
            (/^(GET \S+)?$/.test(more) || (later.some(each => each.do === 'call') && /^(PATCH|PUT|DELETE|POST) \S+/.test(more)))
        })
    }),
  // behaviour.md 7, undo
  ending(
    'call after an undo that waits',
    'an undo that waits for another one concerns the call that it was made for; 0.1.0 aborts a call that was made since, or repeats the one that it waited for, if that has failed',
    ({ before, step, difference, differences, now, sent, used }) => {
      // The call cannot be undone: there is none before it, or that is undone.
      const isSkipped = used.has('settled call without getUndo') || differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ undo resolved \{ kept: \[\] \}$/.test(each.right))
      const hasFailed = line => sent.some(({ method, url, body, during, aborted, released, answer }) => during === 'undo' && (line === `${method} ${url} ${body}`.trim() || (isSkipped && line.startsWith(`${method} ${url} `))) && (aborted || (released === now && !answer)))
      const isRepeated = ({ kind, at, left, right }) => {
        const [less, more] = [surplus(lines(left), lines(right)), surplus(lines(right), lines(left))]
        return kind === 'request' && at === '' && less.length === 1 && less.every(hasFailed) && (more.length === 1 ? !/^GET/.test(more[0]) : more.length === 0 && isSkipped)
      }
      return ['release', 'drain', 'tick', 'collect', 'abort'].includes(step.do) && isNoFault(difference) && before.filter(each => each.do === 'undo').length > 1 && (differences.some(isRepeated) ||
        // Sent, or waiting in its lane.
        (differences.some(each => (each.kind === 'aborted' && each.left !== '' && surplus(each.right.split(','), each.left.split(',')).join('') === '') || (each.kind === 'commit' && /\bfail\b/.test(each.left) && !/\bfail\b/.test(each.right))) &&
          differences.some(each => each.kind === 'outcome' && /^#\d+ (?!undo|redo)\S+ rejected AbortError/.test(each.left) && each.right === '')))
    }),
  // docs/optimistic.md: undo leaves alone what was changed since
  ending('undo that waits, and a call since', 'an undo that has waited for another one leaves alone what the user has changed since; 0.1.0 sends its request before that',
    ({ before, step, difference, differences }) =>
      (step.do === 'release' || step.do === 'drain') && isNoFault(difference) && before.filter(each => each.do === 'undo').length > 1 &&
        before.slice(before.findLastIndex(each => each.do === 'undo')).some(each => ['call', 'group', 'set'].includes(each.do)) &&
        differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ undo resolved \{ kept: \[/.test(each.right))),
  // docs/optimistic.md: undo leaves alone what was changed since
  ending('undo that waits, and a local write since', 'an undo that waits for another one leaves alone a local write that was made since; 0.1.0 undoes that write instead',
    ({ before, step, difference: { kind }, differences }) => {
      const since = before.slice(before.findLastIndex(each => each.do === 'undo')).filter(each => each.do === 'set')
      const isWritten = ({ at }) => since.some(({ of, args: [params], value = params }) => at === `${of} ${value?.id?.or ?? value?.id}`)
      return (step.do === 'release' || step.do === 'drain') && !['oracle', 'repeated', 'request', 'aborted', 'outcome', 'error'].includes(kind) && before.filter(each => each.do === 'undo').length > 1 && since.length > 0 &&
        differences.filter(each => each.kind === 'record' || each.kind === 'base').every(isWritten) &&
        differences.some(({ kind: what, left, right }) => what === 'commit' && surplus(left.split(', '), right.split(', ')).join() === 'undo' && surplus(right.split(', '), left.split(', ')).join('') === '')
    }),
  // docs/optimistic.md: a local write is taken out of the order at once
  ending('undo of a local write while another undo is in flight', 'the write is undone at once; 0.1.0 leaves it, or does not settle before the other undo has',
    ({ before, step, difference, differences, turning }) => {
      if (step.do === 'undo') return turning > 0 && before.some(each => each.do === 'set') && difference.kind === 'outcome' && difference.left === '' && / undo resolved /.test(difference.right) && !differences.some(({ kind }) => ['record', 'base', 'request'].includes(kind))
      const last = before.findLastIndex(each => each.do === 'undo')
      const writes = before.slice(Math.max(0, before.slice(0, Math.max(0, last)).findLastIndex(each => each.do === 'undo')), Math.max(0, last)).filter(each => each.do === 'set')
      const records = differences.filter(({ kind }) => kind === 'record' || kind === 'base')
      return (step.do === 'release' || step.do === 'drain') && isNoFault(difference) && before.filter(each => each.do === 'undo').length > 1 && records.length > 0 && records.every(({ at }) => writes.some(({ of }) => at.startsWith(`${of} `)))
    }),
  // docs/lists.md: a list that is being fetched while a call ends
  ending('removed row in a read that is made again', 'the server has left a row in a list that `remove` took it out of: the read shows it again; in 0.1.0 the answer of the first read, from before, stays',
    ({ before, step, difference, differences }) => {
      const removed = before.filter(each => /\.remove$/.test(each.of ?? '')).map(each => each.args[0]?.id)
      const lists = differences.filter(({ kind }) => kind === 'record' || kind === 'base')
      return step.do === 'drain' && isNoFault(difference) && lists.length > 0 && lists.every(({ at, left, right }) => at.startsWith('[') && surplus(members(left), members(right)).length === 0 && surplus(members(right), members(left)).every(pk => removed.includes(pk.replaceAll('"', ''))))
    }),
  // docs/optimistic.md, "In which order changes count"
  ending('local write that waits for calls about its rows', 'it moves into the base when no older call is about the rows that it writes; in 0.1.0 also rows that it only refers to count',
    ({ before, step, difference, differences }) => {
      const writes = before.filter(each => each.do === 'set')
      return ['release', 'drain'].includes(step.do) && isNoFault(difference) && !differences.some(({ kind }) => kind === 'record' || kind === 'view') &&
        differences.every(({ kind, at, left }) => kind !== 'base' || (left === 'nothing' && writes.some(({ of, value }) => at.startsWith(`${of} `) || at.includes(`"${value?.id}"`)))) && differences.some(({ kind }) => kind === 'base')
    }),
  // docs/optimistic.md: an undo that waits leaves alone what is done after it
  ending('local write after an undo that waits', 'it stays; 0.1.0 takes back the newest step when the turn of that undo comes',
    ({ before, step, difference, differences }) => {
      const sets = before.filter(each => each.do === 'set')
      const since = before.slice(before.findLastIndex(each => each.do === 'undo') + 1).filter(each => each.do === 'set')
      const isOf = writes => ({ at }) => at.split(' ').length === 2 && writes.some(({ of, value }) => at.startsWith(`${of} `) || JSON.stringify(value ?? '').includes(`"${at.split(' ')[1]}"`))
      const records = differences.filter(({ kind }) => kind === 'record' || kind === 'base')
      return (step.do === 'release' || step.do === 'drain') && isNoFault(difference) && before.filter(each => each.do === 'undo').length > 1 &&
        // The step that the undo is about is undone instead.
        records.some(isOf(since)) && records.every(isOf(sets))
    }),
  // behaviour.md 7, undo; code: the steps of a group follow to where the user wants them
  ending('undo that waits for a redo', 'an undo whose request was in flight when it was redone settles when the redo does, and as it does',
    ({ before, difference: { kind, left, right } }) =>
      kind === 'outcome' && [left, right].every(text => /^(#\d+ (undo|redo) .*)?$/.test(text)) && before.some(each => each.do === 'redo')),
  // behaviour.md 7: a reset clears the history
  ending('reset while an undo waits', 'a reset clears the history: an undo that waits for another one sends nothing after it',
    ({ before, step, difference, differences }) =>
      step.do === 'reset' && isNoFault(difference) && before.filter(each => each.do === 'undo' || each.do === 'redo').length > 1 &&
      differences.some(({ kind, at, left, right }) => kind === 'request' && at === '' && /^(POST|PATCH|PUT|DELETE) \S+/.test(left) && right === '')),
  // behaviour.md 5, reset: the store is empty
  ending('reset while the undo of a group is in flight', 'nothing is written or sent after a reset; 0.1.0 makes the writes and calls of the group again, because its undo has failed',
    ({ before, step, difference, differences }) =>
      step.do === 'reset' && isNoFault(difference) && before.some(each => each.do === 'group') && before.some(each => each.do === 'undo') &&
        differences.every(({ kind, right }) => !['record', 'base'].includes(kind) || right === 'nothing') &&
        differences.some(({ kind, left, right }) => {
          const [was, is] = [left.split(', '), right.split(', ')]
          // Or a call that it had undone.
          return (kind === 'outcome' && left === '' && / undo rejected ResetError RESET$/.test(right)) || (kind === 'commit' && surplus(is, was).length === 0 && /^redo(,redo)*$/.test(surplus(was, is).join()))
        })),
  // behaviour.md 7, undo
  ending(
    'redo that changes nothing',
    'a local write that is made again counts as a step, though it repeats what is there: a late read may land below it',
    ({ before, step, difference, differences, quiet }) => {
      const { kind, at, left, right } = difference
      if (step.do === 'redo') return kind === 'history' && at === 'canUndo' && left === 'false' && right === 'true'
      // The next undo takes that step, and changes nothing.
      const last = before.findLastIndex((each, i) => each.do === 'redo' && quiet.has(i))
      // It is left when the calls before it have failed.
      if (step.do === 'tick' && last >= 0) return kind === 'history' && at === 'canUndo' && left === 'false' && right === 'true' && !before.slice(last).some(each => each.do === 'undo')
      return step.do === 'undo' && last >= 0 && isNoFault(difference) &&
        before.some(each => [each, ...(each.steps ?? [])].some(({ do: verb }) => verb === 'set')) &&
        (differences.every(each => each.kind === 'history' && each.left === 'false' && each.right === 'true') ||
          differences.some(each => each.kind === 'commit' && /^undo(, undo)*$/.test(each.left) && each.right === '') ||
          (differences.some(each => each.kind === 'request' && each.at === '' && each.left !== '' && each.right === '') &&
            differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ undo resolved \{ kept: \[\] \}$/.test(each.right))))
    }),
  // behaviour.md 7, undo
  ending('write that repeats what is there', 'a local write that changes nothing that is shown counts as a step: its undo comes first, and sends nothing',
    ({ before, step, difference, differences, quiet }) =>
      isNoFault(difference) && ['undo', 'release', 'drain'].includes(step.do) && before.some(each => [each, ...(each.steps ?? [])].some(({ do: verb }) => verb === 'set')) &&
        // It is the last step.
        ((step.do === 'undo' && quiet.has(before.findLastIndex(each => ['set', 'call', 'group', 'undo', 'redo'].includes(each.do))) && before.findLast(each => ['set', 'call', 'group', 'undo', 'redo'].includes(each.do))?.do === 'set' &&
          differences.some(each => each.kind === 'commit' && each.left === 'undo' && each.right === '')) ||
        (differences.some(each => each.kind === 'history' && each.left === 'false' && each.right === 'true') && differences.every(({ kind, right }) => kind === 'status' || kind === 'history' || /^#\d+ undo resolved \{ kept: \[\] \}$/.test(right))) ||
          (differences.some(each => each.kind === 'request' && each.at === '' && surplus(lines(each.left), lines(each.right)).length > 0) &&
            differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ undo resolved \{ kept: \[\] \}$/.test(each.right))) ||
          // Undone, made again and undone, it is still the last step.
          (step.do === 'undo' && before.at(-1)?.do === 'redo' && before.some(each => each.do === 'set' && Object.keys(each.value ?? {}).join() === 'id')))),
  // behaviour.md 7, undo (a local set is taken out of the order)
  ending('undo of an updater above calls', 'an updater that waited for calls and was undone leaves nothing; in 0.1.0 the field that it removed may stay away',
    ({ before, difference, differences }) => {
      const written = before.findIndex(each => each.do === 'set' && each.updater === 'untitle')
      return isNoFault(difference) && written >= 0 && before.slice(written).some(each => each.do === 'undo') &&
        differences.some(({ kind, at, left, right }) => kind === 'base' && /^Todo /.test(at) && !left.includes('title: ') && right.replace(/, title: "[^"]*"/, '') === left)
    }),
  // design.md, law 3: the order of fields is no data
  lasting('order of fields in a body', 'fields are sent in the order in which the record got them',
    ({ difference: { kind, at, left, right } }) => {
      const sorted = text => text.replace(/\{.*\}/, json => JSON.stringify(Object.entries(JSON.parse(json)).sort()))
      return kind === 'request' && at === '' && left !== right && [left, right].every(text => /^\w+ \S+ \{.*\}$/.test(text)) && sorted(left) === sorted(right)
    }),
  // server.mjs, omitFields: the n-th field of a row, in the order of the body that made it
  ending('order of fields in an answer', 'the scripted server leaves out fields by their order, which follows from the order of fields in a body',
    ({ step, difference, differences, now, sent, used }) => {
      const { answer } = sent.find(each => each.released === now) ?? {}
      return isNoFault(difference) && step.do === 'release' && step.omit > 0 && answer && used.has('order of fields in a body') &&
        differences.some(({ kind, at, left, right }) => {
          if (kind !== 'base' || !/^\w+ s\d+$/.test(at) || !at.endsWith(` ${answer.id}`) || left === 'nothing' || right === 'nothing') return false
          const [was, is] = [fieldsIn(left), fieldsIn(right)]
          // One side got the field, the other one did not.
          const isExplained = field => was[field] === is[field] || !(field in answer) || (field in is && freshText(answer[field]?.id ?? answer[field]) === is[field])
          return Object.keys({ ...was, ...is }).every(isExplained)
        })
    }),
  // invariants.md, relaxed table: undo of a deleted-and-recreated row; behaviour.md 7
  ending(
    'row made again under another pk',
    'after the undo of a deletion, later steps name the row by its new pk; one that cannot leaves the history and is reported. 0.1.0 names the old one in local writes, and when both undos were in flight',
    ({ before, history, index, difference, differences, sent }) => {
      if (!isNoFault(difference) || !history.steps.slice(0, index + 1).some(each => each.do === 'undo')) return false
      // A local write that made the row is undone under its new pk.
      const isRemoved = ({ kind, at, left, right }) => (kind === 'record' || kind === 'base') && /^\w+ s\d+$/.test(at) && left !== 'nothing' &&
        right === 'nothing'
      const isUndone = ({ kind, left, right }) => (kind === 'outcome' && /^#\d+ undo resolved \{ kept: \[/.test(left) && left !== right && [/(, )?\{ key: "\w+", pk: "s\d+" \}/, /\{ key: "\w+", pk: "s\d+" \}, /].some(entry => right === left.replace(entry, '') || left === right.replace(entry, ''))) || (kind === 'commit' && right === `${left}, undo`)
      // In a group, the outcome does not tell: the row was made again by an undo, and the group has a local write of the old one.
      const isGrouped = ({ at }) => sent.some(({ method, body, during, answer }) => method === 'POST' && during === 'undo' && at.endsWith(` ${answer?.id}`) &&
        before.some(each => each.do === 'group' && each.steps.some(({ do: verb, value }) => verb === 'set' && [value].flat().some(row => `${row?.id?.or ?? row?.id}` === `${requestIn(`X / ${body}`).body.id}`))))
      if ([...before, history.steps[index]].filter(each => each.do === 'undo').length > 1 && differences.some(each => isRemoved(each) && (differences.some(isUndone) || isGrouped(each)))) return true
      // A call after the redo of a deletion names the new pk. It is sent before that deletion, which waited for the pk in the lane of the old one.
      const anyRow = line => line.replace(/\/[ks]\d+\b/, '/row')
      const isNamed = ({ kind, left, right }) => {
        const [gone, come] = kind === 'request' ? [surplus(left.split('\n'), right.split('\n')), surplus(right.split('\n'), left.split('\n'))] : [[], []]
        return gone.length === 2 && come.length === 1 && gone.some(line => /^DELETE \/\w+\/s\d+$/.test(line)) && gone.some(line => /\/k\d+\b/.test(line) && anyRow(line) === anyRow(come[0]))
      }
      if (before.some(each => each.do === 'redo') && differences.some(isNamed)) return true
      // A local write of the old pk that was made before is undone under the new one; one that was made while the row was made again, under the old one.
      const steps = before.flatMap(each => [each, ...(each.steps ?? [])])
      const deleted = steps.filter(each => /\.delete$/.test(each.of ?? '')).map(each => JSON.stringify(each.args?.[0]?.id?.or ?? each.args?.[0]?.id))
      const isWritten = steps.some(each => each.do === 'set' && deleted.some(id => JSON.stringify(each).includes(`"id":${id}`)))
      // Undone, it has come to nothing by then.
      const isLost = ({ kind, at, left, right }) => kind === 'history' && at === 'canRedo' && left === 'true' && right === 'false'
      if (isWritten && ['undo', 'release', 'drain'].includes(history.steps[index].do) && (differences.some(isUndone) || differences.every(isLost))) return true
      // Where a response has brought back the old row, the write is about that one.
      const isBack = before.some(each => each.do === 'setResponse' && deleted.some(id => JSON.stringify(each.response).includes(`"id":${id}`)))
      if (isWritten && isBack && differences.filter(each => each.kind === 'record' || each.kind === 'base').every(({ at }) => /^\w+ s\d+$/.test(at) || deleted.some(id => at.endsWith(` ${JSON.parse(id)}`)))) return true
      // Lists name the row by its new pk, too.
      const hasOldPk = ({ kind, at, left, right }) => kind === 'base' && /^\[\w+\] /.test(at) && /"s\d+"/.test(right) &&
        surplus(members(right), members(left)).length === 0 && surplus(members(left), members(right)).length === 1
      if (differences.some(hasOldPk)) return true
      // The undo of a local write of a list takes out the row under its new pk; 0.1.0 takes out the old one, and shows the row in the list.
      const isTakenOut = ({ kind, at, left, right }) => {
        if (kind !== 'base' || !/^\[\w+\] /.test(at)) return false
        const [[made, ...others], [old, ...more]] = [surplus(members(left), members(right)), surplus(members(right), members(left))]
        return others.length + more.length === 0 && sent.some(({ method, body, during, answer }) => method === 'POST' && during === 'undo' && `"${answer?.id}"` === made && `"${requestIn(`X / ${body}`).body.id}"` === old) &&
          steps.some(each => each.do === 'set' && [each.value].flat().some(row => `"${row?.id}"` === old))
      }
      if (['undo', 'release', 'drain'].includes(history.steps[index].do) && differences.some(isTakenOut)) return true
      const isDeletion = line => /^DELETE \/\w+\/s\d+$/.test(line)
      return differences.some(({ kind, at, left, right }) => {
        if (kind === 'error') return right.includes('PatchcordError RENAME')
        // Which reads follow depends on what the calls have changed.
        const [was, is] = [left, right].map(text => lines(text).filter(line => !/^GET /.test(line)))
        const [before, after] = [was.filter(line => !is.includes(line)), is.filter(line => !was.includes(line))]
        // The undo of an earlier deletion names it in the body.
        const withoutPk = line => line.replace(/^((?:POST|PUT|PATCH|DELETE) \/\w+)\/\w+/, '$1').replace(/^(POST \/\w+ \{"id":)"\w+"/, '$1')
        const isRenamed = after.every(line => /^((POST|PUT|PATCH|DELETE) \/\w+\/|POST \/\w+ \{"id":")s\d+\b/.test(line)) &&
          // The undo of its creation goes out as well, where 0.1.0 waits for the call about the old pk.
          surplus(before.map(withoutPk), after.map(withoutPk)).length === 0 && surplus(after, before).filter(line => !before.map(withoutPk).includes(withoutPk(line))).every(isDeletion)
        // A call that was not sent yet names the row in its body.
        const anonymous = line => deleted.reduce((text, id) => text.replaceAll(id, '"*"'), line.replace(/"s\d+"/g, '"*"'))
        const isMadeAgain = before.length === after.length && surplus(before.map(anonymous), after.map(anonymous)).length === 0
        return kind === 'request' && at === '' && after.length > 0 && (isRenamed || isMadeAgain || [...before, ...after].every(isDeletion))
      })
    }),
  // docs/optimistic.md: a row is fetched once more; code: Requests, `#settling`
  lasting('time at which an uncertain row is fetched', 'in a drain it is fetched when all answers are there, so that its data expires earlier or later than in 0.1.0',
    ({ before, step, difference: { kind, left, right }, differences, sent }) =>
      kind === 'status' && (step.do === 'release' || step.do === 'drain') && [...before, step].some(each => each.do === 'drain') && someHaveMet(sent) && !differences.some(each => /record|base/.test(each.kind) || (each.kind === 'request' && each.at === '' && lines(`${each.left}\n${each.right}`).some(line => !line.startsWith('GET ')))) &&
        (expireAtOtherTimes(left, right) || expireAtOtherTimes(right, left) || (/^3 0 fetching$/.test(right) && /^3 \d+$/.test(left)))),
  // docs/errors.md: the server may have done it
  ending('row of an aborted call', 'it is fetched by a read that shows it, when the call was sent',
    ({ step, difference: { kind, at, left, right }, differences, sent }) =>
      step.do === 'abort' && ((kind === 'request' && (at === '' || at === 'open')) || (kind === 'status' && withoutRequest(left) === withoutRequest(right))) &&
        sent.some(({ method, answer }) => method !== 'GET' && !answer) && differences.some(each => each.kind === 'request' && each.at === '' && surplus(lines(each.left), lines(each.right)).length === 0 && surplus(lines(each.right), lines(each.left)).every(line => /^GET \S+$/.test(line)))),
  // docs/optimistic.md: endpoint without `getUndo`, settled
  lasting('settled call without getUndo', 'it leaves the history when it is answered; 0.1.0 counts it until an undo has skipped it',
    ({ before, history, index, step, difference: { kind, at, left, right }, used }) =>
      hasUsed(history, index, /^(like|dropItem|(feed|prices|rates)\.\w+)$/) && ((kind === 'history' && at === 'canUndo' && left === 'true' && right === 'false') ||
        // With nothing left to undo, it does not wait for the undo before it.
        (kind === 'outcome' && (((step.do === 'undo' || used.has('settled call without getUndo')) && left === '' && / undo resolved \{ kept: \[\] \}$/.test(right)) || (right === '' && / undo resolved \{ kept: \[\] \}$/.test(left) && before.some(each => each.do === 'undo')))))),
  // docs/optimistic.md: endpoint without `getUndo`, settled
  ending('undo that skips a settled call without getUndo', 'it concerns the step before that at once; 0.1.0 waits for the undo before it to skip the call',
    ({ history, index, step, difference, differences, turning }) =>
      step.do === 'undo' && turning > 0 && hasUsed(history, index, /^(like|dropItem|(feed|prices|rates)\.\w+)$/) && isNoFault(difference) &&
        differences.some(({ kind, at, left, right }) => kind === 'request' && at === '' && left === '' && /^(POST|PUT|PATCH|DELETE) \S+/.test(right)) &&
        // The row of a deletion shows at once, too.
        differences.every(({ kind, left }) => !['record', 'base'].includes(kind) || left === 'nothing')),
  // docs/optimistic.md: 404 and 410; code: createHistory, `run`
  ending('undo of a row that is gone', 'a step whose undo is answered with 404 leaves the history; in 0.1.0 it stays the next one, and fails each time',
    ({ before, step, difference, differences, now, sent }) => {
      // A deletion that is answered with 404 has succeeded.
      const missing = sent.filter(({ method, status, during }) => status === 404 && /^(POST|PUT|PATCH)$/.test(method) && !['call', 'group'].includes(during))
      const isRepeated = line => missing.some(({ method, url }) => line.startsWith(`${method} ${url} `))
      if (step.do === 'undo') return isNoFault(difference) && differences.some(({ kind, at, left, right }) => kind === 'request' && at === '' && surplus(lines(left), lines(right)).some(isRepeated))
      return difference.kind === 'history' && difference.at === 'canUndo' && difference.left === 'true' && before.some(each => each.do === 'undo') && missing.some(({ released }) => released <= now)
    }),
  // behaviour.md 7, undo (what was undone before another action is gone)
  ending('failed redo after another action', 'a redo that fails after the user did something else cannot be repeated',
    ({ before, difference: { kind, at, left, right } }) =>
      kind === 'history' && at === 'canRedo' && left === 'true' && right === 'false' && before.some(each => each.do === 'redo')),
  // behaviour.md 7: only what the user did enters the history
  ending('action that failed after an undo', 'a call that fails has not happened: what was being undone when it was made can be redone again',
    ({ history, index, difference: { kind, at, left, right } }) => {
      const undone = history.steps.findIndex(each => each.do === 'undo')
      return kind === 'history' && at === 'canRedo' && left === 'false' && right === 'true' && undone >= 0 &&
        history.steps.slice(undone, index).some(each => ['call', 'group', 'set'].includes(each.do))
    }),
  // behaviour.md 7: what somebody else has changed since is left alone and reported
  lasting(
    'nothing left to undo',
    'what already has the value which the undo would give it, or was never changed by what is undone, is not in the `kept` of the result',
    ({ difference: { kind, left, right }, differences }) => {
      const [was, is] = [left, right].map(text => /^#\d+ undo resolved \{ kept: \[(.*)\] \}$/.exec(text)?.[1].match(/\{[^}]*\}/g) ?? (text.endsWith('kept: [] }') ? [] : undefined))
      const isLeftOut = ({ at }) => was.some(field => !is.includes(field) && field.includes(`key: "${at.split(' ')[0]}"`) && field.includes(`pk: "${at.split(' ')[1]}"`))
      return kind === 'outcome' && was !== undefined && is !== undefined && was.length > is.length && is.every(field => was.includes(field)) &&
        !differences.some(each => (each.kind === 'record' || each.kind === 'base') && isLeftOut(each))
    }),
  // docs/optimistic.md: membership in lists is undone by pk
  ending('order of a list that is undone', 'the undo of a write that only put a list into another order restores that order; 0.1.0 leaves it',
    ({ before, step, difference: { kind }, differences }) => {
      const isReordered = ({ kind: of, at, left, right }) => (of === 'record' || of === 'base') && at.startsWith('[') && left !== right &&
        [...left].sort().join('') === [...right].sort().join('')
      return [...before, step].some(each => each.do === 'undo') && ['view', 'live', 'record', 'base', 'wake', 'identity', 'patches'].includes(kind) &&
        differences.some(isReordered) && differences.every(each => !['record', 'base'].includes(each.kind) || isReordered(each))
    }),
  // docs/optimistic.md: membership in lists is undone by pk; what somebody else has changed since is left alone
  ending('list that a group has written twice', 'the undo of the second write restores the order, so that the undo of the first one finds what that has written; 0.1.0 takes the list for one that somebody else has changed',
    ({ before, step, difference, differences }) => {
      const lists = differences.filter(each => each.kind === 'record' || each.kind === 'base')
      const nameOf = at => `{ key: "${at.slice(0, at.indexOf(' '))}", pk: ${JSON.stringify(at.slice(at.indexOf(' ') + 1))} }`
      const isLeft = ({ at, right }) => at.startsWith('[') && right === 'nothing' && differences.some(each => each.kind === 'outcome' && / undo resolved /.test(each.right) && each.left.includes(nameOf(at)) && !each.right.includes(nameOf(at)))
      return isNoFault(difference) && step.do === 'undo' && before.some(each => each.do === 'group' && each.steps.filter(({ do: verb }) => verb === 'set').length > 1) && lists.length > 0 && lists.every(isLeft)
    }),
  // behaviour.md 1, pk domain: a temporary pk stays a name of its row
  ending('abort by a temporary pk', '`abort` with a temporary pk that has become real ends what is under the real one',
    ({ step, difference, differences }) =>
      step.do === 'abort' && isNoFault(difference) && JSON.stringify(step.args).includes('"$temporary"') &&
        differences.some(({ kind, left, right }) => kind === 'outcome' && left === '' && /rejected AbortError/.test(right))),
  // behaviour.md 1, Collection, move; design.md, law 5
  ending(
    'moved under a pending call',
    'a list shows a row by the record that is visible: a pending call that changes the field takes it out; 0.1.0 leaves it there until the next answer',
    ({ history, index, difference, differences }) =>
      isNoFault(difference) && hasUsed(history, index, /^loose$|\.(update|partialUpdate)$/) && hasUsed(history, index, /\.move$/) &&
      differences.some(({ kind, at, left, right }) => kind === 'outcome' ? / resolved /.test(left) && [...left.matchAll(/(Task|Todo) \{ [^{}]*\}(, )?/g)].some(({ 0: { length }, index: start }) => left.slice(0, start) + left.slice(start + length) === right)
        : kind === 'record' && /^\[(Todo|Task)\] \{"/.test(at) && surplus(members(right), members(left)).length === 0 && surplus(members(left), members(right)).length === 1)),
  // test/laws/order/model.ts, `sent`
  ending(
    'move of a temporary pk',
    'a move that waited for the answer of a creation takes the row out of the lists that this answer puts it into; 0.1.0 leaves it there until the answer of the move',
    ({ before, step, difference: { kind, left, right }, differences }) => {
      if (!(step.do === 'release' || step.do === 'drain') || !before.some(each => /\.move$/.test(each.of ?? '') && JSON.stringify(each.args).includes('$temporary'))) return false
      // Another call of the same drain may resolve with such a list, and the creation with a row that refers to itself by such a list.
      const itself = / resolved \w+ \{ id: "s\d+"/.test(left) ? [...left.matchAll(/(, )?\^\d+(?=\])/g)] : []
      if (kind === 'outcome') return left.replace(/(, )?\w+ \{[^{}]*\bid: "s\d+"[^{}]*\}(?=\])/, '') === right || itself.some(({ 0: { length }, index }) => left.slice(0, index) + left.slice(index + length) === right)
      const records = differences.filter(each => each.kind === 'record')
      return ['view', 'live', 'record', 'identity', 'wake'].includes(kind) && records.length > 0 && records.every(each =>
        /^\[\w+\] \{"/.test(each.at) && surplus(members(each.right), members(each.left)).join('') === '' && /^"s\d+"$/.test(surplus(members(each.left), members(each.right)).join()))
    }),
  // behaviour.md 7, temporary pks: if the creation does not make the row, what waited fails
  ending('call about a row that was never made', 'a call that names a temporary pk fails when the answer of the creation has no such row; in 0.1.0 when it would be sent',
    ({ before, step, difference: { kind }, differences }) =>
      (step.do === 'release' || step.do === 'drain') && ['outcome', 'view', 'live', 'record', 'commit', 'wake', 'identity'].includes(kind) && before.some(each => JSON.stringify(each).includes('$temporary')) &&
        differences.some(each => each.kind === 'outcome' && each.left === '' && /^#\d+ \S+ rejected PatchcordError MISSING$/.test(each.right))),
  // behaviour.md 7, undo (a row that an undo makes again)
  ending('deletion of a row that an undo is making', 'a deletion of a row that an undo is making again is sent with the pk that the row gets; 0.1.0 sends the old one',
    ({ before, difference: { kind }, differences, sent }) =>
      ['request', 'commit', 'outcome', 'status'].includes(kind) && before.some(each => each.do === 'undo') && differences.some(({ kind: what, at, left, right }) => {
        const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
        // Rows of calls that have met are fetched once more.
        const [is, ...more] = surplus(lines(right), lines(left)).filter(line => !/^GET /.test(line)).map(requestIn)
        return what === 'request' && at === '' && was?.method === 'DELETE' && is?.method === 'DELETE' && others.length + more.length === 0 &&
          sent.some(each => each.method === 'POST' && each.during === 'undo' && was.url.endsWith(`/${requestIn(`X ${each.url} ${each.body}`).body.id}`))
      })),
  // behaviour.md 7, undo
  ending(
    'deletion of nothing',
    'the undo of a deletion that found no row has nothing to send: it settles at once. 0.1.0 lets it wait for the undo before it',
    ({ before, history, step, index, difference: { kind, left, right }, differences }) =>
      step.do === 'undo' && kind === 'outcome' && left === '' && /^#\d+ undo resolved \{ kept: \[\] \}$/.test(right) && differences.length === 1 &&
        hasUsed(history, index, /\.delete$/) && before.some(each => each.do === 'undo')),
  // invariants.md, relaxed table: INV-04
  lasting('pending call asked more often', 'a pending call may run more often, so an error that it throws may be reported more often',
    ({ history, index, difference: { kind, left, right } }) =>
      kind === 'error' && /^(Error(, )?)*$/.test(left) && /^(Error(, )?)+$/.test(right) && right.length > left.length &&
        hasUsed(history, index, /^like$/)),
  // README.md, Not covered: the order in which promises settle within one step
  inTurn('order within one drain', 'answers that come at once are handled in an order that nobody states, failures first in version 2: 0.1.0 does the same as version 2 when it gets them in another order'),
  // design.md, "One mechanism per job": forgetting rows; relaxed table: GC in slices of a frame
  // What somebody reads does not change, and nothing is sent or settled.
  ending(
    'time of collection',
    'garbage collection runs in one pass while no read or call is open: rows that nobody reads go earlier or later than in 0.1.0',
    ({ history, step, difference: { kind, at, left, right }, differences, reader, turning }) => {
      const records = differences.filter(each => each.kind === 'record')
      if (!history.settings.gc || !(step.do === 'tick' || step.do === 'collect') || !differences.some(each => ['record', 'deleted'].includes(each.kind))) return false
      // An undo that waited for the one that fails here shows nothing where its row is forgotten.
      if (kind === 'commit') return turning > 1 && left === 'call, fail' && right === 'fail' && records.some(each => each.right === 'nothing')
      // 0.1.0 also forgets what is on screen once a deletion in flight has failed.
      if (records.length > 0 && records.every(each => each.left === 'nothing')) return ['record', 'base', 'deleted', 'view', 'identity', 'status', 'live', 'wake'].includes(kind)
      // Also a relation of what is on screen.
      const isForgotten = each => records.some(({ at: name, left }) => left === 'nothing' && each.right.includes(`id: "${name.split(' ')[1]}"`))
      return !(kind === 'view' && reader(at).mounted && !differences.some(each => each.at === at && isForgotten(each))) && ['record', 'base', 'deleted', 'view', 'identity', 'status', 'live'].includes(kind) &&
        records.every(each => each.left === 'nothing' || each.right === 'nothing') &&
          !differences.some(each => each.kind === 'view' && reader(each.at).mounted && !allReaders.test(each.at) && !isForgotten(each))
    }),
  // behaviour.md 1, Views: nobody who reads notices that garbage is collected
  ending('empty list of all rows', 'a list of all rows that is empty, because the last one was deleted, stays when the deleted rows are forgotten; 0.1.0 shows nothing then',
    ({ history, step, difference: { at, kind }, differences }) =>
      history.settings.gc && ['tick', 'collect'].includes(step.do) && (kind === 'deleted' || allReaders.test(at) || /^get sum\(/.test(at)) &&
        differences.some(each => each.kind === 'view' && (kind === 'deleted' || each.at === at) && each.left === 'undefined' && /^(\[\]|\d+)$/.test(each.right))),
  // design.md, "One mechanism per job": forgetting rows
  ending(
    'time at which a status is forgotten',
    'the error or the invalidation of a read that nobody watches goes with the garbage, which is collected while no read or call is open',
    ({ before, history, step, difference: { kind, at, left, right }, differences, reader }) => {
      const withoutError = text => text.replace(/ \w+Error\b.*$/, '')
      const isInvalidated = before.some(({ do: verb, of, args = [] }) => verb === 'invalidateAll' ? at.startsWith(`${of}(`) : verb === 'invalidate' && at === `${of}(${args.map(each => JSON.stringify(each)).join()})`)
      // Then the rows of other answers count.
      const isOther = left[0] === right[0] && / 0 \w+Error \w+$/.test(left) && /^\d \d+$/.test(right)
      // Most readers are not asked after every step.
      return history.settings.gc && [...before, step].some(each => ['tick', 'collect', 'drain'].includes(each.do)) && kind === 'status' && !reader(at).mounted &&
        (withoutError(left) === withoutError(right) || isOther || (isInvalidated && left === right.replace(/^1 /, '3 '))) && differences.every(each => ['status', 'identity', 'wake'].includes(each.kind) || allReaders.test(each.at))
    }),
  // behaviour.md 5 abort, 7 temporary pks
  ending(
    'abort by a former temporary pk',
    'an abort finds every call on the row, also the request of an undo; 0.1.0 finds those that were made with the temporary pk',
    ({ step, difference, differences }) =>
      step.do === 'abort' && JSON.stringify(step.args).includes('$temporary') && isNoFault(difference) &&
        differences.some(({ kind, left, right }) => kind === 'aborted' && left === '' && right !== '')),
  // docs/controller.md: a call resolves with the view of its answer; code: Controller, viewOf
  lasting('call resolves with its answer', 'a call resolves with the view of its answer where a pending call has deleted what it shows; 0.1.0 resolves with undefined',
    ({ difference: { kind, left, right } }) => kind === 'outcome' && /^#\d+ \S+ resolved undefined$/.test(left) && right.startsWith(left.slice(0, -'undefined'.length)) && / resolved [A-Z]\w+ \{/.test(right)),
  // behaviour.md 1, Invalidate; issue 25 item 14
  lasting('delete resolves with an instance', 'a direct call of a deletion resolves with an instance made of the fields of the answer',
    ({ difference: { kind, left, right } }) => {
      const [was, is] = [lines(left), lines(right)]
      return kind === 'outcome' && was.length === is.length && was.every((line, i) => {
        const [, call, pk] = /^(#\d+ (?:\w+\.delete|dropItem) resolved )"([^"]*)"$/.exec(line) ?? []
        return call !== undefined && is[i].startsWith(call) && /^[A-Z]\w* \{/.test(is[i].slice(call.length)) && is[i].includes(`id: "${pk}"`)
      })
    }),
  // behaviour.md 2, `update`; issue 25 item 7
  ending('update without a result', '`update` is called with undefined where nothing is stored yet',
    ({ history, index, difference: { kind, at, left }, differences }) =>
      hasUsed(history, index, /^counted$/) && (/\bpage\b/.test(at) || kind === 'commit') &&
        differences.some(each => (each.kind === 'record' || each.kind === 'base') && /\/page$/.test(each.at) && each.left === 'nothing') &&
        (kind !== 'record' || left === 'nothing')),
  // behaviour.md 5, Freshness; issue 26 item 6
  lasting('incomplete detail is stale', 'a record that lacks a declared field is shown and fetched',
    ({ difference: { kind, at, left, right }, record }) =>
      kind === 'status' && detailReaders.test(at) && isExpired(left, right) && isIncomplete(at, record)),
  // invariants.md, relaxed table: GC in slices of a frame
  lasting(
    'error that outlives its read',
    'the error of a read that nobody watches goes with its key, after the time that unused data is retained; 0.1.0 forgets it with the next pass',
    ({ before, history, step, difference: { kind, at, left, right }, reader }) =>
      kind === 'status' && history.settings.gc && [...before, step].some(each => each.do === 'tick') && !reader(at)?.mounted && /^\d \d+$/.test(left) &&
        /^\d 0 \w+Error \w+$/.test(right)),
  // behaviour.md 5, Freshness; issue 26 item 6
  ending('incomplete detail is fetched', '`fetchIfStale` of a record that lacks a declared field sends a request',
    ({ step, difference: { kind, at, left, right }, differences, used, record }) => {
      // By the request, or by the outcome if it joins one in flight: the arguments may have a temporary pk.
      const asked = differences.map(each => (each.kind === 'request' ? /^GET \/\w+\/(\w+)$/.exec(each.right) : /^#\d+ \S+ resolved \w+ \{[^{}]*?\bid: "(\w+)"/.exec(each.left))?.[1]).find(Boolean)
      return step.do === 'fetchIfStale' && detailReaders.test(`${step.of}(`) &&
        (used.has('incomplete detail is stale') || isIncomplete(`${step.of}({"id":"${asked}"})`, record)) &&
        ((kind === 'request' && (at === 'open' || (left === '' && /^GET \S+$/.test(right)))) || (kind === 'status' && detailReaders.test(at)) || (kind === 'outcome' && right === ''))
    }),
  // behaviour.md 1, Collection; issue 26 item 7
  lasting(
    'list expired by a creation or deletion',
    'the answer of a creation expires lists that may contain the new row and did not take it, a deletion lists with paging or sorting entries that contained the row',
    ({ history, index, difference: { kind, at, left, right }, sent }) =>
      kind === 'status' && ((isExpired(left, right) && mayExpire(history, index, at)) ||
        // A deleted row has come back, and is in all of its lists again.
        (isExpired(withoutRequest(left), withoutRequest(right)) && /^(open|more)\(/.test(at) && sent.some(({ method, url, answer }) => method !== 'GET' && answer && sent.some(other => other.method === 'DELETE' && [url, `${url}/${answer.id}`].includes(other.url)))))),
  // behaviour.md 1, Collection; issue 26 item 7
  ending('expired list is fetched', '`fetchIfStale` of a list that a creation or deletion has expired sends a request',
    ({ history, step, index, difference, differences }) =>
      step.do === 'fetchIfStale' && mayExpire(history, index, `${step.of}(${JSON.stringify(step.args)})`) && isNoFault(difference) &&
      // Or it joins one that is in flight.
      differences.some(({ kind, at, left, right }) => (kind === 'request' && at === '' && left === '' && /^GET \S+$/.test(right)) || (kind === 'outcome' && right === '' && / resolved (\[|Project|Task)/.test(left)))),
  // behaviour.md 1, Views (a deletion lasts until the pk is written); the row is fetched once more
  lasting(
    'row brought back beneath a late read',
    'a row that a patch from outside brings back after its deletion has no stamp, also when a read that started before lands beneath it',
    ({ before, history, step, difference: { kind, left, right } }) => {
      if (kind !== 'status' || !isExpired(left, right)) return false
      const added = before.findLastIndex(each => each.do === 'patch' && each.patches.some(({ op, path }) => op === 'add' && path.length === 3 && !path[1].startsWith('[')))
      return added >= 0 && [...before.slice(added), step].some(each => each.do === 'release' || each.do === 'drain') && history.steps.slice(0, added).some(each => each.do === 'undo' || each.do === 'patch' || /\.delete$/.test(each.of ?? ''))
    }),
  // behaviour.md 6 (fetched once more when all have settled); code: Requests, #fetchUncertain
  ending(
    'read that fetches an uncertain row',
    'a row of which the server may have something else is fetched by a read that shows it when the calls settle, one of the row alone first; if none does, when the reads in flight have ended',
    ({ before, history, step, index, difference: { kind, at, left, right }, differences, sent }) =>
      // Such a read may have timed out before.
      (kind === 'status' && /TimeoutError/.test(right) && withoutRequest(left) === withoutRequest(right) && hasUncertain(history, index) && [...before, step].some(each => each.do === 'collect' || each.do === 'tick')) ||
      // Calls settle in these steps, and reads end.
      (['release', 'drain', 'tick', 'collect', 'undo', 'redo', 'abort'].includes(step.do) && hasUncertain(history, index) &&
      ((kind === 'request' && (at === '' || at === 'open')) || (kind === 'status' && (withoutRequest(left) === withoutRequest(right) ||
        // The deletion of the row may have expired the list, too.
        (isExpired(withoutRequest(left), withoutRequest(right)) && mayExpire(history, index, at))))) &&
      // While garbage is collected time passes, and such a request comes to its end.
      ((kind === 'status' && (step.do === 'collect' || step.do === 'tick')) || differences.some(each => {
        const [was, is] = [lines(each.left), lines(each.right)]
        const isRead = line => /^GET \S+$/.test(line)
        // Pages that are fetched again have a rule of their own.
        const isPage = line => /\?cursor=/.test(line)
        // A redo before its undo has settled leaves a row uncertain, which 0.1.0 does not fetch; nor does it wait for reads in flight.
        const [less, more] = [surplus(was, is), surplus(is, was)]
        const isOther = less.length === more.length
        // It waits for a read, for a creation, which may be about any row, and for a call about the row.
        return each.kind === 'request' && each.at === '' && less.length + more.length > 0 && less.every(isRead) && more.every(line => isRead(line) && (isOther || !isPage(line))) &&
          (more.length > 0 || history.settings.retry || sent.some(({ released, aborted }) => released === undefined && !aborted))
      })))),
  // docs/optimistic.md: rows of calls that were in flight at the same time; code: Requests, #noteEnd
  // The scripted server also gives a pk to a creation that a client has asked to delete before.
  ending('deleted row that comes back', 'a call has brought back a row that another one, in flight at the same time, was about, and that was deleted: all reads that lead to it have expired, because the row is fetched once more by only one of them',
    ({ difference: { kind, at, left, right }, gone, rows, sent }) => {
      const calls = sent.filter(({ method }) => method !== 'GET')
      // The undo of a deletion has the pk in its body.
      const isAbout = (call, pk) => call.url.split('/')[2] === pk || pksIn(call).includes(pk) || `${call.body}`.includes(`"id":"${pk}"`)
      // Before the answer: in an earlier step, or in the same drain.
      const isDeleted = (call, other, pk) => [...gone].some(row => row.endsWith(` ${pk}`)) || (other.method === 'DELETE' && other.released === call.released)
      const hasMet = (call, pk) => calls.some(other => other !== call && haveMet(call, other) && other.released <= call.released && isAbout(other, pk) && isDeleted(call, other, pk))
      return kind === 'status' && isExpired(withoutRequest(left), withoutRequest(right)) && calls.some(call => pksIn(call).some(pk => pk !== undefined && hasMet(call, pk) && leadsTo(at, pk, rows[1])))
    }),
  // docs/lists.md: a list that is being fetched while a call ends, or while it is expired
  ending('read that is made again', 'a read that was expired, or met a creation or deletion, while it was in flight is made once more; 0.1.0 shows the older answer',
    ({ history, step, index, difference: { kind, at, left, right }, differences, sent, now }) =>
      (step.do === 'release' || step.do === 'drain') &&
        ((kind === 'request' && (at === '' || at === 'open')) || (kind === 'status' && (withoutRequest(left) === withoutRequest(right) ||
          // The creation or deletion that it met has expired the list, too.
          (/ fetching$/.test(right) && isExpired(withoutRequest(left), withoutRequest(right)) && mayExpire(history, index, at))))) &&
        differences.some(each => {
          const more = surplus(lines(each.right), lines(each.left))
          return each.kind === 'request' && each.at === '' && surplus(lines(each.left), lines(each.right)).length === 0 &&
            more.every(line => /^GET /.test(line) && sent.some(({ method, url, released }) => method === 'GET' && released === now && line === `GET ${url}`))
        })),
  // docs/optimistic.md: rows of calls that were in flight at the same time
  ending('calls that have met', 'a row is fetched once more that two calls in flight at the same time were about or have brought, unless the last answer confirms what is there; 0.1.0 looks at the arguments of calls with `serial: false` alone',
    ({ before, history, step, index, difference: { kind, at, left, right }, differences, sent }) => {
      // A call that is sent again is in flight from its first attempt.
      const first = call => sent.find(each => each === call || (!each.answer && each.method === call.method && each.url === call.url && each.body === call.body))
      const isMet = someHaveMet(sent.map(call => ({ ...call, step: first(call).step })))
      const isOther = each => {
        const [less, more] = [surplus(lines(each.left), lines(each.right)), surplus(lines(each.right), lines(each.left))]
        // The pages of a list may be fetched again as well, by this side alone; a call that was undone before it was sent has changed nothing at the server.
        return each.kind === 'request' && each.at === '' && [...less, ...more].every(line => /^GET \S+$/.test(line)) && (less.length > 0 || more.some(line => !/cursor=/.test(line)) || !hasPages(before, sent)) &&
          (less.length === 0 || (more.length === 0 && hasUncertain(history, index)))
      }
      // Such a read may have timed out while garbage was collected.
      const hasTimedOut = kind === 'status' && /TimeoutError/.test(left + right) && [...before, step].some(each => each.do === 'collect' || each.do === 'tick')
      // A list without an answer of its own counts as expired where its last request has failed.
      if (isMet && hasTimedOut && (withoutRequest(left) === withoutRequest(right) || (/TimeoutError/.test(right) && isExpired(left, withoutRequest(right))))) return true
      return isMet && ['release', 'drain', 'tick', 'collect', 'undo', 'redo', 'abort'].includes(step.do) && differences.some(isOther) &&
        ((kind === 'request' && (at === '' || at === 'open')) || (kind === 'status' && (withoutRequest(left) === withoutRequest(right) ||
          // A creation or deletion may have expired the list, too.
          (isExpired(withoutRequest(left), withoutRequest(right)) && mayExpire(history, index, at)))))
    }),
  // docs/optimistic.md: undo of a call that waits
  ending('undo of a call that was never sent', 'such a call has changed nothing at the server, so its row is not fetched again; 0.1.0 fetches it',
    ({ before, idle, step, difference: { kind, at, left, right }, differences, sent }) => {
      // Or it was redone, and sent later for the first time.
      const isSentOnce = ({ method, url, body, during }, pk) => method !== 'GET' && ['release', 'drain', 'tick'].includes(during) && url.split('/')[2] === pk &&
        sent.filter(each => each.method === method && each.url === url && each.body === body).length === 1
      const isRedone = before.some((each, i) => each.do === 'undo' && each.early && before.find(({ do: verb }, n) => n > i && !idle.has(n) && (verb === 'undo' || verb === 'redo'))?.do === 'redo' &&
        sent.some(request => isSentOnce(request, before.slice(0, i).findLast(({ do: verb }) => ['call', 'group', 'set'].includes(verb))?.args?.[0]?.id)))
      return ['release', 'drain', 'undo'].includes(step.do) && [...before, step].some(each => each.do === 'undo') && (hasUnsent(before, sent) || isRedone) &&
        ((kind === 'request' && (at === '' || at === 'open')) || (kind === 'status' && withoutRequest(left) === withoutRequest(right))) &&
        differences.some(each => each.kind === 'request' && each.at === '' && surplus(lines(each.right), lines(each.left)).length === 0 && surplus(lines(each.left), lines(each.right)).every(line => /^GET \S+$/.test(line)))
    }),
  // code: normalize/rebase.ts; behaviour.md does not say
  ending(
    'list changed from outside beneath a late read',
    'a foreign change of a list, or the undo of a local one, is repeated by its members over what a late read brings; 0.1.0 replaces the list',
    ({ before, step, difference, differences }) => {
      const isPatched = each => each.do === 'patch' &&
        each.patches.some(({ path, value }) => (Array.isArray(value) && path.length === 4) || (path.length === 5 && typeof path[4] === 'number'))
      const withoutTags = text => text.replace(/tags: \[.*?\]/g, '')
      const written = before.findIndex(each => each.do === 'set' && (each.of === 'Log' || each.value?.tags !== undefined || each.updater === 'tag'))
      const isUndone = written >= 0 && before.slice(written).some(each => each.do === 'undo')
      // Another read of the same drain may replace the row: then only what the first one resolved with tells.
      const isSeen = ({ kind, left, right }) => step.do === 'drain' && kind === 'outcome' && /^#\d+ \w+(\.\w+)? resolved/.test(left) && left !== right && withoutTags(left) === withoutTags(right)
      return isNoFault(difference) && (isUndone || before.some(isPatched)) && (isSeen(difference) ||
        differences.some(({ kind, at, left, right }) => kind === 'base' && (/^Log /.test(at) || (/^Todo /.test(at) && withoutTags(left) === withoutTags(right))) && left !== right))
    }),
  // behaviour.md 6 (fetched once more when all have settled); code: Requests, #fetchUncertain
  lasting(
    'time of the fetch of an uncertain row',
    'in a drain, version 2 sends that fetch after all answers, 0.1.0 between them: a row that one of them wrote expires with the fetch',
    ({ before, history, index, difference: { kind, left, right }, differences, sent }) =>
      kind === 'status' && hasUncertain(history, index) && sent.some(each => each.method === 'GET' && each.during === 'drain') &&
        expireAtOtherTimes(left, right) && Number(left.split(' ')[1]) < Number(right.split(' ')[1]) &&
        // Pages that are fetched again have a rule of their own.
        differences.every(each => ['status', 'identity', 'wake'].includes(each.kind) || allReaders.test(each.at) || /^#\d+ \w+\.delete resolved/.test(each.left) || (hasPages(before, sent) && (each.kind === 'request' || each.at === '[Todo] {}')))),
  // The two rules above, `calls that have met` and `undo of a call that was never sent`, where both are about the same read
  ending('same read for another uncertain row', 'in a drain, version 2 fetches a row of calls that have met, 0.1.0 one of a call that was never sent: if one read shows both, it starts before or after an answer of that drain, whose rows expire with the later one',
    ({ before, difference: { kind, at, left, right }, differences, now, rows, sent }) => {
      const isAnswered = ({ method, released, ...call }, read) => method !== 'GET' && released === read.step && pksIn(call).some(pk => pk !== undefined && leadsTo(at, pk, rows[1]))
      return kind === 'status' && expireAtOtherTimes(left, right) && Number(left.split(' ')[1]) > Number(right.split(' ')[1]) &&
        before.some(each => each.do === 'undo') && hasUnsent(before, sent) && someHaveMet(sent) &&
        sent.some(read => read.method === 'GET' && read.during === 'drain' && read.released === now && sent.some(call => isAnswered(call, read))) &&
        differences.every(each => ['status', 'identity', 'wake'].includes(each.kind) || allReaders.test(each.at))
    }),
  // behaviour.md 6 (fetched once more when all have settled); code: Requests, #fetchUncertain
  lasting('order of the fetch of an uncertain row', 'in a drain, version 2 sends that fetch after all answers, and so after the calls that waited for one of them',
    ({ history, index, step, difference, differences }) => {
      const { kind, at, left, right } = difference
      const [was, is] = [lines(left), lines(right)]
      const fetched = is.at(-1)
      return step.do === 'drain' && kind === 'request' && at === '' && differences.every(each => each.kind === 'status' || each === difference) && hasUncertain(history, index) && /^GET /.test(fetched) &&
        was.includes(fetched) && was.filter(line => line !== fetched).join() === is.slice(0, -1).join()
    }),
  // behaviour.md 5, reset (everything in flight ends with `ResetError`)
  lasting('undo that a reset ends', 'an undo in flight ends with a ResetError; in 0.1.0 it goes on, and misses the row that it would change',
    ({ step, difference: { kind, left, right } }) =>
      step.do === 'reset' && kind === 'outcome' && left.replace('undo rejected PatchcordError MISSING', 'undo rejected ResetError RESET') === right && left !== right),
  // behaviour.md 6 (fetched once more when all have settled); code: Requests, #fetchUncertain
  ending('answer before the fetch of an uncertain row', 'in a drain, version 2 sends that fetch after all answers, 0.1.0 between them: a creation that is answered after it adds its members once more',
    ({ history, index, difference, differences, sent }) => {
      const isMap = text => text.startsWith('{ ')
      const entries = text => text.slice(2, -2).split(', ')
      return isNoFault(difference) && hasUncertain(history, index) && sent.some(each => each.method === 'GET' && each.during === 'drain') && hasUsed(history, index, /\.assign$/) &&
        differences.some(({ kind, at, left, right }) => kind === 'base' && /^\{\w+\} /.test(at) && isMap(left) && isMap(right) && surplus(entries(right), entries(left)).length === 0)
    }),
  // behaviour.md 6 (fetched once more when all have settled); code: Requests, #fetchUncertain
  ending(
    'local write before the fetch of an uncertain row',
    'in a drain, version 2 sends that fetch after all answers, 0.1.0 between them: a local write or an answer that waited for a call to the row, or for a creation, is made before the fetch, which replaces it',
    ({ before, history, index, difference, differences, now, sent }) => {
      const rowsIn = ({ answer }) => [answer?.results ?? answer].flat()
      const steps = before.flatMap(each => [each, ...(each.steps ?? [])])
      return isNoFault(difference) && hasUncertain(history, index) && differences.some(({ kind, at, left, right }) => {
        const [, key, pk] = /^(\w+) (\w+)$/.exec(at) ?? []
        if (pk === undefined || kind !== 'base' || left === 'nothing' || right === 'nothing') return false
        const reads = sent.filter(each => each.method === 'GET' && each.during === 'drain' && each.released === now)
        const answers = reads.flatMap(rowsIn).filter(row => row?.id === pk)
        const earlier = sent.filter(each => each.method !== 'GET' && each.answer?.id === pk && reads.some(read => each.released <= read.step))
        const has = (row, field, text) => freshText(row[field]?.id ?? row[field]) === text
        // A write by a temporary pk is about the row that was created, under the pk that the server has given it.
        const isAbout = ({ value, args: [params], id = (value ?? params)?.id }) => (id?.or ?? id) === pk || (id?.$temporary !== undefined && /^s\d+$/.test(pk))
        // A local write of a list writes the rows in it.
        const rows = steps.filter(each => each.do === 'set').flatMap(each => (each.of === 'list' && Array.isArray(each.value) ? each.value.map(value => ({ of: 'Todo', args: [], value })) : [each]))
        const writes = rows.filter(each => each.of === key && isAbout(each))
        const [was, is] = [fieldsIn(left), fieldsIn(right)]
        const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(field => was[field] !== is[field])
        return changed.length > 0 && changed.every(field => (writes.some(({ updater, value }) => (updater ? fieldOf[updater] === field : freshText(value[field]) === was[field])) || earlier.some(({ answer }) => has(answer, field, was[field]))) && answers.some(row => has(row, field, is[field])))
      })
    }),
  // behaviour.md 3, Extenders: the later pages are fetched again
  lasting('time of a list with pages', 'a list that was fetched again is as old as before until its pages have been fetched again',
    ({ before, difference: { kind, at, left, right }, sent }) =>
      kind === 'status' && at === 'open()' && hasPages(before, sent) && expireAtOtherTimes(left, right) && Number(left.split(' ')[1]) > Number(right.split(' ')[1])),
  // behaviour.md 3, Extenders; issue 26 item 3
  ending('list keeps its pages', 'a list that pages were appended to is followed by them when it is fetched again, and they are fetched again',
    ({ before, step, difference: { kind, at, left, right }, differences, sent }) => {
      if (!(step.do === 'release' || step.do === 'drain' || step.do === 'tick') || !hasPages(before, sent)) return false
      const refetches = each => each.kind === 'request' && each.at === '' &&
        surplus(lines(each.right), lines(each.left)).some(line => /^GET \/todos(\?cursor=|$)/.test(line)) &&
        surplus(lines(each.left), lines(each.right)).length === 0
      // Until then the list ends with what may be of a later page.
      const isLonger = ({ kind: each, at: name, left: was, right: is }) => {
        if (each !== 'base' || !/^\[Todo\] /.test(name)) return false
        // Rows that were created while the list was in flight go behind that.
        const [, first, created] = /^\[(.*?)((?:, "s\d+")*)\]$/.exec(was) ?? []
        return is.length > was.length && (is.startsWith(was.slice(0, -1)) || (first !== undefined && is.startsWith(`[${first}, `) && is.endsWith(`${created}]`)))
      }
      // The first page lands as of its request, below a page that was asked for before: one more commit, of the same data.
      const isSame = differences.every(each => ['commit', 'wake', 'identity'].includes(each.kind) || allReaders.test(each.at))
      if (isSame && kind !== 'commit') return /open|owners|list/i.test(at)
      // A page that is in flight anyway is not asked for again: only its reader saw the longer list.
      const isLongerOutcome = ({ kind: each, left: was, right: is }) => each === 'outcome' && /^#\d+ (Todos\.getList|more|open) resolved \[/.test(was) && is.startsWith(was.slice(0, -1)) && is.length > was.length
      if (step.do === 'drain' && differences.every(each => isLongerOutcome(each) || /^#\d+ \w+\.delete resolved/.test(each.left) || (each.kind === 'commit' && each.right === `${each.left}, fetch` && /\bfetch$/.test(each.left)))) return true
      if (!isSame && !differences.some(each => refetches(each) || isLonger(each))) return false
      if (kind === 'outcome') return /^#\d+ (Todos\.getList|more|open) resolved/.test(left) && /^#\d+ (Todos\.getList|more|open) resolved/.test(right)
      // The first page may change nothing, as it is followed by the others.
      if (kind === 'commit') return [[left, right], [right, left]].every(([one, other]) => surplus(one.split(', '), other.split(', ')).every(cause => /^(fetch)?$/.test(cause)))
      return kind === 'request' || ['status', 'wake', 'identity', 'view', 'live', 'record', 'base'].includes(kind) &&
        /todos|Todos\.getList|more|open|list|owners|\[Todo\] \{\}/.test(at) && left !== right
    }),
  // docs/lists.md: a list and its pages wait for each other; code: Requests, start
  ending('list waits for its pages', 'a list and its pages are fetched one after the other, so that no page is lost: a read of one waits for a read of the other that is in flight',
    ({ before, step, difference: { kind, at, left, right }, differences, isFetching, sent }) =>
      (kind === 'request' && ['read', 'fetchIfStale', 'poll', 'tick', 'collect'].includes(step.do) &&
        isFetching('Todos.getList') && [...before, step].some(each => each.of === 'more' && each.args && isFetching('more', ...each.args)) &&
        differences.some(({ kind: what, at, left, right }) =>
          what === 'request' && at === '' && surplus(lines(right), lines(left)).length === 0 && surplus(lines(left), lines(right)).every(line => /^GET \/todos(\?cursor=\d+)?$/.test(line)))) ||
      // A poll has waited until the page timed out; in 0.1.0 both time out in the same step.
      ((kind === 'request' || (kind === 'status' && at === 'Todos.getList()' && / TimeoutError TIMEOUT$/.test(left) && / fetching$/.test(right))) &&
        (step.do === 'tick' || step.do === 'collect') && before.some(each => each.do === 'poll') && sent.some(each => each.aborted && (isPage(each.url, before) || before.some(({ of }) => of === 'more'))) &&
        differences.some(each => each.kind === 'request' && each.at === '' && surplus(lines(each.left), lines(each.right)).length === 0 && surplus(lines(each.right), lines(each.left)).join() === 'GET /todos'))),
  // docs/lists.md: a page that arrives after its list is appended
  ending('page after its list', 'a page that was asked for before its list was stored is appended when it arrives, before rows that were created since; 0.1.0 loses it',
    ({ before, history, difference: { kind, at, left, right }, differences, now, sent }) => {
      const isList = text => /^#\d+ (Todos\.getList|more|open) resolved/.test(text)
      const isAllowed = kind === 'commit' ? surplus(left.split(', '), right.split(', ')).join('') === '' && surplus(right.split(', '), left.split(', ')).join() === 'fetch'
        : kind === 'outcome' ? isList(left) && isList(right)
          : ['view', 'live', 'record', 'base', 'identity', 'wake', 'status'].includes(kind) && /Todos\.getList|more|open|list|owners|\[Todo\] \{\}/.test(at)
      return isAllowed && sent.some(({ url, released, answer }, i) => {
        if (released !== now || !isPage(url, before) || !Array.isArray(answer)) return false
        // The first attempt has started the read; those before this one have failed or timed out.
        const first = sent.findIndex((each, n) => n === i || (history.settings.retry && each.method === 'GET' && each.url === url && (each.aborted || !each.answer)))
        const isStored = sent.slice(first + 1).some(each => each.method === 'GET' && each.url === '/todos' && each.answer) ||
          before.some(each => each.do === 'again' || (each.do === 'setResponse' && each.of === 'Todos.getList' && each.args.length === 0))
        const pks = answer.map(({ id }) => id)
        const others = list => list.filter(pk => !pks.includes(pk)).join()
        // The list itself may arrive in the same drain, after the page: then only one more commit tells, and who it wakes.
        const isReplaced = ['commit', 'identity', 'wake'].includes(kind) && sent.some(each => each.released === now && each.method === 'GET' && each.url === '/todos') && !differences.some(each => each.kind === 'base')
        return isStored && (isReplaced || differences.some(each => {
          if (each.kind !== 'base' || each.at !== '[Todo] {}' || !/^\[/.test(each.left) || !/^\[/.test(each.right)) return false
          const [was, is] = [JSON.parse(each.left), JSON.parse(each.right)]
          return surplus(was, is).length === 0 && others(was) === others(is)
        }))
      })
    }),
  // docs/optimistic.md: a row may get another pk; code: createHistory, `turn`
  // It has not settled, it has changed and sent nothing, and another one is in flight.
  ending('undo waits for a row that it names', 'an undo or redo waits for one in flight that is about a row which it names; 0.1.0 sends it, or ends it, at once',
    ({ step, difference, differences, commits, now, turning }) => {
      const isOwn = ({ kind, at }) => kind === 'outcome' && at === `#${now}`
      return isNoFault(difference) && ['undo', 'redo'].includes(step.do) && turning > 0 && commits[1] === 0 && !differences.some(each => isOwn(each) && each.right !== '') &&
        differences.some(each => each.right === '' && (isOwn(each) || (each.kind === 'request' && each.at === '' && /^(POST|PUT|PATCH|DELETE) \S+/.test(each.left))))
    }),
  // docs/optimistic.md: fields that somebody else has changed since
  ending('undo leaves what others have changed', 'the request of an undo does not have fields that somebody else has changed since the call; if those are all, there is none',
    ({ history, index, difference, differences, sent, base, rows }) =>
      isNoFault(difference) && history.steps.slice(0, index + 1).some(each => each.do === 'undo') &&
        differences.some(({ kind, at, left, right }) => {
          const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
          const [is, ...more] = surplus(lines(right), lines(left)).map(requestIn)
          if (kind !== 'request' || at !== '' || !was || others.length + more.length > 0 || !/^(PATCH|PUT)$/.test(was.method)) return false
          const [, table, pk] = was.url.split('/')
          const isLeft = field => JSON.stringify(rows[1].get(`${tableOf[table]} ${pk}`)?.[field]) === JSON.stringify(was.body[field]) &&
            differences.some(each => each.kind === 'outcome' && /undo resolved \{ kept: \[\{ field: /.test(each.right) && each.right.includes(`{ field: "${field}", key: "${tableOf[table]}", pk: "${pk}" }`))
          // 0.1.0 sends what somebody else has written there, and fields that have the value which they had, or that the call has sent and not changed.
          const isThere = field => JSON.stringify(rows[1].get(`${tableOf[table]} ${pk}`)?.[field]) === JSON.stringify(was.body[field]) || isUnchanged(was, field, sent)
          // The request of a PATCH that has changed no field would have none.
          const isEmpty = Object.keys(was.body).every(field => isUnchanged(was, field, sent)) && differences.some(each => each.kind === 'outcome' && /undo resolved \{ kept: \[\{ field: /.test(each.right) && each.right.includes(`key: "${tableOf[table]}", pk: "${pk}" }`))
          if (!is) return was.method === 'PATCH' && (isEmpty || Object.keys(was.body).some(isLeft)) && Object.keys(was.body).every(isThere)
          const changed = Object.keys(was.body).filter(field => JSON.stringify(was.body[field]) !== JSON.stringify(is.body[field]))
          return was.method === is.method && was.url === is.url && changed.length > 0 && changed.every(field => isConflict(was.url, field, sent.slice(0, -1), base))
        })),
  // docs/optimistic.md: rows that the call sent as objects are sent as objects
  ending('undo of nested rows', 'the request of an undo has the rows that its call has sent as objects as they were; 0.1.0 sends their pks',
    ({ difference, differences, sent }) =>
      isNoFault(difference) && differences.some(({ kind, at, left, right }) => {
        const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
        const [is, ...more] = surplus(lines(right), lines(left)).map(requestIn)
        if (kind !== 'request' || at !== '' || !was || !is || others.length + more.length > 0 || was.method !== is.method || was.url !== is.url) return false
        const isRow = value => typeof value === 'object' && value !== null
        const isNested = field => isRow(is.body[field]) && !isRow(was.body[field]) && sent.some(({ url, body }) => url === is.url && isRow(requestIn(`X ${url} ${body}`).body[field]))
        const isAlike = field => JSON.stringify(is.body[field]) === JSON.stringify(was.body[field]) || isNested(field) || isUnchanged(was, field, sent)
        return Object.keys(is.body).some(isNested) && Object.keys({ ...was.body, ...is.body }).every(isAlike)
      })),
  // docs/optimistic.md: a call that has changed nothing sends nothing
  ending('undo of a call that has changed nothing', 'it sends nothing; 0.1.0 sends the values of the call again, over what somebody else has changed since',
    ({ before, difference, differences, rows, sent }) =>
      isNoFault(difference) && differences.some(({ kind, at, left, right }) => {
        const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
        const isSettled = differences.some(each => each.kind === 'outcome' && each.left === '' && / undo resolved \{ kept: \[\] \}$/.test(each.right))
        // In a group, the call before it is next.
        const isNext = before.some(({ do: verb }) => verb === 'group') && surplus(lines(right), lines(left)).length === 1
        if (kind !== 'request' || at !== '' || !was || others.length > 0 || !(isNext || (isSettled && surplus(lines(right), lines(left)).length === 0))) return false
        const [, table, pk] = was.url.split('/')
        // The server has left out what the call has sent: the row never had it.
        const isMissing = field => was.body[field] === null && rows[1].get(`${tableOf[table]} ${pk}`)?.[field] === undefined
        const isRepeated = body => Object.keys(was.body).every(field => JSON.stringify(body[field]?.id ?? body[field]) === JSON.stringify(was.body[field]) || (Object.hasOwn(body, field) && isMissing(field)) || (was.url.startsWith('/rated/') && body[field] === 'ignored'))
        return /^(PATCH|PUT)$/.test(was.method) && sent.some(({ method, url, body, answer }) => answer && method === was.method && url === was.url && isRepeated(requestIn(`X ${url} ${body}`).body))
      })),
  // docs/optimistic.md: undo leaves alone what somebody else has changed, also in fields that the call sent and did not change
  ending('undo sends what its call has changed', 'the request that undoes a PATCH does not have fields that the PATCH sent with the value which they had',
    ({ base, difference, differences, sent }) =>
      isNoFault(difference) && differences.some(({ kind, at, left, right }) => {
        const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
        const [is, ...more] = surplus(lines(right), lines(left)).map(requestIn)
        if (kind !== 'request' || at !== '' || !was || !is || others.length + more.length > 0 || was.method !== 'PATCH' || is.method !== 'PATCH' || was.url !== is.url) return false
        const missing = Object.keys(was.body).filter(field => !Object.hasOwn(is.body, field))
        // Nor fields that somebody else has changed since.
        const isSent = field => isConflict(was.url, field, sent.slice(0, -1), base) || isUnchanged(was, field, sent)
        return missing.length > 0 && missing.every(isSent) && Object.keys(is.body).every(field => JSON.stringify(is.body[field]) === JSON.stringify(was.body[field]))
      })),
  // docs/optimistic.md: a field that the row did not have is sent with the default of its class
  ending('undo of a field that the row did not have', 'it is sent, and shown, with the default of its class; 0.1.0 sends null',
    ({ before, step, difference, differences, sent }) =>
      isNoFault(difference) && [...before, step].some(each => each.do === 'undo') && differences.some(({ kind, at, left, right }) => {
        const blur = text => text.replace(/: (null|""|0|false|\[\])(?=[,} ])/g, ': _')
        if (kind === 'record') return left !== right && /: null[,} ]/.test(left) && blur(left) === blur(right)
        const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
        const [is, ...more] = surplus(lines(right), lines(left)).map(requestIn)
        if (kind !== 'request' || at !== '' || !was || !is || others.length + more.length > 0 || was.method !== is.method || was.url !== is.url) return false
        const isDefault = field => was.body[field] === null && ['""', '0', 'false', '[]'].includes(JSON.stringify(is.body[field]))
        const isAlike = field => JSON.stringify(is.body[field]) === JSON.stringify(was.body[field]) || isDefault(field) || (!Object.hasOwn(is.body, field) && isUnchanged(was, field, sent))
        return Object.keys(is.body).some(isDefault) && Object.keys({ ...was.body, ...is.body }).every(isAlike)
      })),
  // docs/optimistic.md: undo; code: history/inverse.ts
  ending('undo of what a local write has removed', 'a field that a local write has set back since is no conflict: the undo sends it, because the server still has the value of the call',
    ({ before, step, difference: { kind, at, left, right } }) => {
      const [was, ...others] = surplus(lines(left), lines(right)).map(requestIn)
      const [is, ...more] = surplus(lines(right), lines(left)).map(requestIn)
      if (step.do !== 'undo' || kind !== 'request' || at !== '' || !was || !is || others.length + more.length > 0 || is.method !== 'PATCH' || was.method !== 'PATCH' || was.url !== is.url) return false
      const added = Object.keys(is.body).filter(field => !Object.hasOwn(was.body, field))
      return before.some(each => each.do === 'set' && each.updater) && added.length > 0 && added.every(field => is.body[field] === null) &&
        Object.keys(was.body).every(field => JSON.stringify(was.body[field]) === JSON.stringify(is.body[field]))
    }),
  // behaviour.md 1, pk domain and Collection ("the same for collections over Values")
  pure(
    'answer of a creation without a pk',
    'only the optimistic response of a creation gets a temporary pk; a map of pks for a collection over Values is taken for one entity',
    ({ differences }) =>
      differences.some(({ kind, left, right }) => kind === 'error' && left === undefined && right === 'MissingPkError MISSING_PK 400') &&
      differences.some(({ kind, left }) => kind === 'result' && (left.includes('"new:') || /^\{ /.test(left)))),
  // behaviour.md 1, Collection ("the same for collections over Values")
  pure('map with a number that is no pk', 'a map of pks for a collection over Values is taken for one entity, also if one of them is NaN; 0.1.0 names that one',
    ({ difference: { kind: what, left, right }, input, kind }) =>
      what === 'error' && left === 'ValidationError VALIDATION 400' && right === 'MissingPkError MISSING_PK 400' && kind === 'assigned' &&
        Object.values(input).some(Number.isNaN) && !Object.hasOwn(input, 'id')),
  // code: schema/Array.ts, listIn
  pure('object that is no map of entities', 'an object with members that are no objects, or are lists, is not taken for a list of entities; 0.1.0 takes it for one, or misses the pk of a list in it',
    ({ differences, input }) =>
      differences.some(({ kind, left, right }) => kind === 'error' && (!left || left === 'MissingPkError MISSING_PK 400') && right === 'ValidationError VALIDATION 400') &&
        typeof input === 'object' && input !== null && !Array.isArray(input) && Object.values(input).some(value => typeof value !== 'object' || value === null || Array.isArray(value))),
  // docs/schemas.md: an answer without rows is an empty list
  pure('empty answer of All', 'the answer of an endpoint that has no rows shows an empty list; 0.1.0 shows nothing until one row of the type was stored',
    ({ difference: { kind, left, right } }) => kind === 'view' && left !== right && left.replace(/^undefined$/gm, '[]') === right.replace(/^undefined$/gm, '[]')),
  // invariants.md, relaxed table: order of `All` (first arrival in the visible state)
  pure('row that was never visible', 'a row that came and went in one response was never visible: when it comes again it stands where a new row stands',
    ({ difference: { kind }, earlier, states }) =>
      kind === 'document' && differInOrder(states, (key, pk) => {
        const records = earlier.flatMap(state => recordsOf(state, key, pk))
        return records.length > 0 && records.every(record => record === null)
      })),
  // invariants.md, relaxed table: order of `All`; rows of one commit come at once
  pure('row that is removed before it comes', 'among the rows of one list of patches, a row stands where the list first names it, also if that is a remove of nothing',
    ({ difference: { kind, at }, earlier, states }) => {
      const removed = [...at.matchAll(/op: "remove", path: (\["entities", "(?:[^"\\]|\\.)*", "(?:[^"\\]|\\.)*"\])/g)].map(([, path]) => JSON.parse(path).join('\n'))
      return kind === 'document' && differInOrder(states, (key, pk) => removed.includes(['entities', key, pk].join('\n')) && recordsOf(earlier.at(-1), key, pk).length === 0)
    }),
  pure('result that is removed before it comes', 'among the results, one stands where a list of patches first names it, also if that is a remove of nothing',
    ({ difference: { kind, left, right }, states }) => {
      const [a, b] = states.map(({ endpoints }) => [...endpoints].map(each => freshText(each)).sort().join('\n'))
      return kind === 'request' && left !== right && [...left].sort().join('') === [...right].sort().join('') && a === b
    }),
  // invariants.md, hostile input: patches
  pure('list where a record belongs', 'a response replaces a list that a patch has put where a record belongs; 0.1.0 adds the fields to the list',
    ({ difference: { kind }, earlier, states }) => {
      const isList = ([key], [pk]) => !key.startsWith('[') && recordsOf(earlier.at(-1), key, pk).some(Array.isArray)
      const texts = states.map(({ entities, endpoints }) => freshText({ endpoints, entities: new Map([...entities].map(table => [table[0], table[1].filter(row => !isList(table, row))])) }))
      return ['view', 'document'].includes(kind) && texts[0] === texts[1] && earlier.at(-1).entities.some(table => table[1].some(row => isList(table, row)))
    }),
  // docs/lists.md: the fields of the record over the URL parameters of the call
  pure('move by a parameter', 'a move adds a row to lists by the URL parameters of the call, where the record lacks the field; 0.1.0 looks at the record alone',
    ({ difference: { kind }, input, args, schema, states }) => {
      if (!['view', 'none', 'document'].includes(kind) || schema?.constructor.name !== 'Move') return false
      const [left, right] = states.map(({ entities, endpoints }) => ({ entities: new Map(entities), endpoints }))
      const known = new Map((left.entities.get('[Todo]') ?? []).map(([pk, members]) => [pk, members]))
      const isAdded = (pk, member) => !known.get(pk)?.includes(member) &&
        [input].flat().some(row => String(row.id) === member && Object.entries(JSON.parse(pk)).some(([name, value]) => !Object.hasOwn(row, name) && args[0]?.[name] === value))
      right.entities.set('[Todo]', (right.entities.get('[Todo]') ?? []).map(([pk, members, ...rest]) => [pk, members.filter(member => !isAdded(pk, member)), ...rest]))
      return freshText(left) === freshText(right)
    }),
  // design.md, law 3
  pure('zero', '0 and -0 are equal data, so the one that is there stays',
    ({ difference, differences }) => {
      const isZero = ({ left, right }) => left !== right && left?.replaceAll('-0', '0') === right?.replaceAll('-0', '0')
      // One side has the document of Immer, and the other one has the same but for a zero.
      const isOther = text => /^Immer: |^patches: /.test(text)
      return isZero(difference) || (difference.kind === 'oracle' && differences.some(each => each.kind === 'document' && isZero(each)) &&
        ((difference.left === 'agrees' && isOther(difference.right)) || (isOther(difference.left) && difference.right === 'agrees')))
    }),
  // design.md, law 2; invariants.md, H11
  pure('value of a remove', 'a patch that removes something has no value: what stands there is not looked at',
    ({ differences }) =>
      differences.some(({ kind, at, left, right }) => kind === 'error' && left === 'PatchError PATCH' && right === '' && /op: "remove", path: \[.*\], value: .*__proto__/.test(at))),
  // behaviour.md 1, Views (it lasts until the pk is written)
  pure('deleted and added', 'a row that patches bring back loses the stamp of its deletion',
    ({ difference: { kind, left, right } }) =>
      kind === 'document' && left !== right && left.replace(/(?<!null, )\[\d+, \d+, true\]/g, 'null') === right),
  // behaviour.md 1, Views (a stamp lasts until the pk is written)
  pure('removed and added', 'a row that patches remove and add again keeps its stamp',
    ({ difference: { kind, at, left, right } }) =>
      kind === 'document' && /op: "remove", path: (\["entities", .*?"\])( \}|, value).*op: "(add|replace)", path: \1/.test(at) &&
        left === right.replace(/\[\d+, \d+, (true|false)\](?=\]+)/g, (stamp, _, offset) => (left.slice(offset, offset + 4) === 'null' ? 'null' : stamp))),
]
