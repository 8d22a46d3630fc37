/**
 * The budgets that the library was given, and where each is measured. `says` is how the verdict of that row begins.
 *
 * @typedef {{ what: string, suite: string, row: string, says: string }} Promised
 *
 * @type {Promised[]}
 */
export const BUDGETS = [
  { what: 'first response, beside parsing', suite: 'normalize', row: 'first response', says: '≤ 70 % of JSON.parse' },
  { what: 'first response, 2,826 entities', suite: 'normalize', row: 'first response', says: '≥ 2× faster than data-client' },
  { what: 'the same response again', suite: 'normalize', row: 'same response again', says: '≥ 4× faster than data-client' },
  { what: 'the same response again, patches', suite: 'normalize', row: 'same response again', says: '≤ 0 patches' },
  { what: 'the same response again, wakes', suite: 'normalize', row: 'same response again', says: '≤ 0 wakes' },
  { what: 'first view', suite: 'view', row: 'first view', says: '≥ 3× faster than data-client' },
  { what: 'uncached denormalize', suite: 'view', row: 'denormalize, nothing remembered', says: '≥ 1× faster than data-client' },
  { what: 'cached view', suite: 'view', row: 'cached view', says: '≥ 1,000× faster than data-client' },
  { what: 'one entity into 100k', suite: 'controller', row: 'setResponse, one entity in 100k', says: '≥ 10,000× faster than data-client' },
  { what: 'one entity, growth', suite: 'controller', row: 'setResponse, one entity, growth of the table', says: 'at 100k ≤ 3× the cost at 1k' },
  { what: 'one row of a watched list of 10k', suite: 'view', row: 'one row of 10k', says: '≥ 100× faster than data-client' },
  { what: 'late read above 100 polls of 100 rows', suite: 'order', row: 'late read above 100 polls of 100 rows', says: '≤ 100 % of JSON.parse' },
  { what: 'cold start, beside 0.1.0', suite: 'start', row: 'cold start', says: '≤ 60 % of 0.1.0' },
  { what: 'cold start, beside data-client', suite: 'start', row: 'cold start', says: '≤ 100 % of data-client' },
  { what: 'one field of 10k rows in Solid, page', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 1 mutations of the page' },
  { what: 'one field of 10k rows in Solid, rows', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 0 rows created' },
  { what: 'one field of 10k rows in Solid, floor', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 200 % of createStore' },
  { what: 'an unread entity, string ids', suite: 'memory', row: 'unread entities, string ids', says: '≤ 250 B' },
  { what: 'an unread entity, numeric ids', suite: 'memory', row: 'unread entities, numeric ids', says: '≤ 250 B' },
  { what: 'size with Solid', suite: 'size', row: 'app with Solid', says: '≤ 26 kB, the contract' },
  { what: 'size with Preact', suite: 'size', row: 'app with Preact', says: '≤ 26 kB, the contract' },
  { what: 'size of everything', suite: 'size', row: 'everything, with Solid', says: '≤ 36 kB, the contract' },
  { what: 'size of the pure functions', suite: 'size', row: 'pure functions', says: '≤ 13 kB, the contract' },
  { what: 'size of Entity', suite: 'size', row: 'Entity alone', says: '≤ 2.50 kB, the contract' },
]

/**
 * Each budget with what was measured for it.
 *
 * @param {Map<string, import('./results.mjs').Result>} results by suite
 */
export const judged = results =>
  BUDGETS.map(promised => {
    const result = results.get(promised.suite)
    const row = result?.rows.find(({ name }) => name === promised.row)
    const verdict = row?.verdicts.find(({ budget }) => budget.startsWith(promised.says))
    if (verdict) return { ...promised, ...verdict }
    const reason = !result ? `no result: npm run bench -- ${promised.suite}` : !row ? 'that row was not run' : 'that row has no such budget'
    return { ...promised, budget: promised.says, verdict: 'blank', measured: reason }
  })
