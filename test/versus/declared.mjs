// The deliberate differences between 0.1.0 (left) and version 2 (right). Everything else is a fault.
//
// `applies` gets { history, step, index, difference, differences, commits, open, used, record }:
//   difference    { kind, at, left, right } as text; kinds are listed in compare.mjs
//   differences   all differences of this step
//   commits       the number of commits in this step, [left, right]
//   open          requests in flight
//   used          ids of the rules that this history has used before
//   record        gives the stored record of the left side by name, such as `Todo 1`
// After a rule with `ends: true` the states are expected to differ, and the history stops there.
// `pure: true`: the rule concerns the comparison of the pure functions; it gets { difference } alone.
// Keep predicates narrow: a rule that is too wide hides faults. The summary of a run shows how often each was used.

const allReaders = /^get (all|allTasks|allUsers|allItems|done)\(/
const cyclicReaders = /^(Projects|Tasks)\.|^get (projectTasks|allTasks)\(/
const detailReaders = /^(\w+\.get|item)\(/
const listReaders = /^(\w+\.getList|feed)\(/

/** The lines of an outcome without those that both sides have. */
const lines = text => text.split('\n').filter(line => line !== '')
/** Whether two lists as text have the same members in another order. */
const isReordered = (left, right) => members(left).sort().join() === members(right).sort().join()
const members = text => text.slice(1, -1).split(/, (?=[A-Z]\w* \{|")/)
/** `expiryStatus expiresAt rest`: whether only the expiry differs, and the right side has none. */
const isExpired = (left, right) => {
  const [status, , ...rest] = left.split(' ')
  return right === [status, '0', ...rest].join(' ')
}
/** Whether one of the calls or reads until now was of an endpoint. */
const hasUsed = (history, index, pattern) => history.steps.slice(0, index + 1).some(step => [step, ...(step.steps ?? [])].some(each => pattern.test(each.of ?? '')))
const creations = /\.(push|unshift)$|^counted$/

/** The fields that classes of the world declare with a default other than `undefined`, by endpoint. */
const fieldsOf = {
  Todos: ['Todo', 'title', 'n', 'done', 'group', 'tags'], Users: ['User', 'name', 'username'], Projects: ['Project', 'name', 'tasks'], Tasks: ['Task', 'title'],
  Comments: ['Comment', 'text', 'author'], Logs: ['Log', 'entries'], Rateds: ['Rated', 'title', 'rev'], Docs: ['Doc', 'title', 'rev'],
}
const relations = { owner: 'Users', author: 'Users' }

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

export const declared = [
  {
    id: 'order of All',
    reason: 'a late read may place its new rows last',
    reference: 'invariants.md, relaxed table: order of `All`',
    ends: false,
    applies: ({ difference: { kind, at, left, right }, used }) =>
      allReaders.test(at) && (kind === 'view' ? isReordered(left, right) : (kind === 'identity' || kind === 'wake') && used.has('order of All')),
  },
  {
    id: 'cycle changed and changed back',
    reason: 'a cyclic view that changed and changed back within one step may be a new object',
    reference: 'invariants.md, relaxed table: INV-23',
    ends: false,
    applies: ({ difference: { kind, at, right }, differences, commits }) =>
      cyclicReaders.test(at) && commits[1] > 1 && ((kind === 'identity' && right === 'new object') || (kind === 'wake' && right === 'woken')) && !differences.some(each => each.kind === 'view' && each.at === at),
  },
  {
    id: 'pending call asked more often',
    reason: 'a pending call may run more often, so an error that it throws may be reported more often',
    reference: 'invariants.md, relaxed table: INV-04',
    ends: false,
    applies: ({ history, index, difference: { kind, left, right } }) => kind === 'error' && /^(Error(, )?)*$/.test(left) && /^(Error(, )?)+$/.test(right) && right.length > left.length && hasUsed(history, index, /^like$/),
  },
  {
    id: 'collection waits for requests',
    reason: 'garbage collection runs while no read or call is open, so rows may stay longer',
    reference: 'design.md, "One mechanism per job": forgetting rows; relaxed table: GC in slices of a frame',
    ends: true,
    applies: ({ history, step, difference: { kind }, differences, open }) =>
      history.settings.gc && (step.do === 'tick' || step.do === 'collect') && open > 0 && kind !== 'oracle' && kind !== 'request' && kind !== 'outcome' &&
      differences.some(each => each.kind === 'record' && each.left === 'nothing') && !differences.some(each => each.kind === 'record' && each.right === 'nothing'),
  },
  {
    id: 'delete resolves with an instance',
    reason: 'a direct call of a deletion resolves with an instance made of the fields of the answer',
    reference: 'behaviour.md 1, Invalidate; issue 25 item 14',
    ends: false,
    applies({ difference: { kind, left, right } }) {
      const [was, is] = [lines(left), lines(right)]
      return kind === 'outcome' && was.length === is.length && was.every((line, i) => {
        const [, call, pk] = /^(#\d+ (?:\w+\.delete|dropItem) resolved )"([^"]*)"$/.exec(line) ?? []
        return call !== undefined && is[i].startsWith(call) && /^[A-Z]\w* \{/.test(is[i].slice(call.length)) && is[i].includes(`id: "${pk}"`)
      })
    },
  },
  {
    id: 'update without a result',
    reason: '`update` is called with undefined where nothing is stored yet',
    reference: 'behaviour.md 2, `update`; issue 25 item 7',
    ends: true,
    applies: ({ history, index, difference: { kind, at, left }, differences }) =>
      hasUsed(history, index, /^counted$/) && (/\bpage\b/.test(at) || kind === 'commit') && differences.some(each => (each.kind === 'record' || each.kind === 'base') && /\/page$/.test(each.at) && each.left === 'nothing') && (kind !== 'record' || left === 'nothing'),
  },
  {
    id: 'incomplete detail is stale',
    reason: 'a record that lacks a declared field is shown and fetched',
    reference: 'behaviour.md 5, Freshness; issue 26 item 6',
    ends: false,
    applies: ({ difference: { kind, at, left, right }, record }) => kind === 'status' && detailReaders.test(at) && isExpired(left, right) && isIncomplete(at, record),
  },
  {
    id: 'incomplete detail is fetched',
    reason: '`fetchIfStale` of a record that lacks a declared field sends a request',
    reference: 'behaviour.md 5, Freshness; issue 26 item 6',
    ends: true,
    applies: ({ step, difference: { kind, at, left, right }, used }) =>
      step.do === 'fetchIfStale' && detailReaders.test(`${step.of}(`) && used.has('incomplete detail is stale') &&
      ((kind === 'request' && (at === 'open' || (left === '' && /^GET \S+$/.test(right)))) || (kind === 'status' && detailReaders.test(at)) || (kind === 'outcome' && right === '')),
  },
  {
    id: 'list expired by a creation',
    reason: 'the answer of a creation expires lists that may contain the new row and did not take it',
    reference: 'behaviour.md 1, Collection; issue 26 item 7',
    ends: false,
    applies: ({ history, step, index, difference: { kind, at, left, right } }) => kind === 'status' && (step.do === 'release' || step.do === 'drain') && listReaders.test(at) && isExpired(left, right) && hasUsed(history, index, creations),
  },
  {
    id: 'list keeps its pages',
    reason: 'a list that pages were appended to is followed by them when it is fetched again, and they are fetched again',
    reference: 'behaviour.md 3, Extenders; issue 26 item 3',
    ends: true,
    applies: ({ history, step, index, difference: { kind, at, left, right }, differences }) => {
      if (!(step.do === 'release' || step.do === 'drain' || step.do === 'tick') || !hasUsed(history, index - 1, /^more$/)) return false
      const refetches = each => each.kind === 'request' && lines(each.right).some(line => /^GET \/todos\?cursor=/.test(line)) && !lines(each.left).some(line => /cursor=/.test(line))
      if (!differences.some(refetches)) return false
      return kind === 'request' || ['status', 'wake', 'identity', 'view', 'live', 'record', 'base'].includes(kind) && /todos|Todos\.getList|more|open|list|owners|\[Todo\] \{\}/.test(at) && left !== right
    },
  },
]
