/**
 * The budgets that the library was given, and where each is measured. `says` is how the verdict of that row begins.
 *
 * @typedef {{ what: string, suite: string, row: string, says: string }} Promised
 *
 * @type {Promised[]}
 */
export const BUDGETS = [
  { what: 'normalize + apply, 2.8k entities', suite: 'normalize', row: 'first response', says: '≥ 4× faster than data-client' },
  { what: 'normalize + apply, beside parsing', suite: 'normalize', row: 'first response', says: '≤ 50 % of JSON.parse' },
  { what: 'the same response again', suite: 'normalize', row: 'same response again', says: '≥ 7× faster than data-client' },
  { what: 'the same response again, patches', suite: 'normalize', row: 'same response again', says: '≤ 0 entity patches' },
  { what: 'first view of all', suite: 'view', row: 'first view', says: '≥ 4× faster than data-client' },
  { what: 'cached view', suite: 'view', row: 'cached view', says: '≥ 1,000× faster than data-client' },
  { what: 'one new entity into 100k', suite: 'store', row: 'new entity in 100k', says: '≥ 10,000× faster than data-client' },
  { what: 'one new entity, growth', suite: 'store', row: 'new entity, growth', says: 'at 100k ≤ 3× the cost at 1k' },
  { what: 'one field among 100k', suite: 'store', row: 'changed field in 100k', says: '≥ 10,000× faster than data-client' },
  { what: 'one field, growth', suite: 'store', row: 'changed field, growth', says: 'at 100k ≤ 3× the cost at 1k' },
  { what: 'one row of a list of 10k, read again', suite: 'view', row: 'one row of 10k', says: '≥ 100× faster than data-client' },
  { what: 'one row of a list of 100k, read again', suite: 'view', row: 'one row of 100k', says: '≥ 100× faster than data-client' },
  { what: 'one field of 10k rows in Solid, page', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 1 mutations of the page' },
  { what: 'one field of 10k rows in Solid, rows', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 0 rows created' },
  { what: 'one field of 10k rows in Solid, growth', suite: 'browser-solid', row: 'one field, 10k rows', says: 'at patchcord ≤ 1.50×' },
  { what: 'one field of 10k rows in Solid, floor', suite: 'browser-solid', row: 'one field, 10k rows', says: '≤ 200 % of createStore' },
  { what: 'an unread entity, string ids', suite: 'memory', row: 'unread entities, string ids', says: '≤ 250 B' },
  { what: 'an unread entity, numeric ids', suite: 'memory', row: 'unread entities, numeric ids', says: '≤ 250 B' },
  { what: 'size with Solid', suite: 'size', row: 'app with Solid', says: '≤ 26 kB, the contract' },
  { what: 'size with Preact', suite: 'size', row: 'app with Preact', says: '≤ 26 kB, the contract' },
  { what: 'size of everything', suite: 'size', row: 'everything, with Solid', says: '≤ 36 kB, the contract' },
  { what: 'size of the pure functions', suite: 'size', row: 'pure functions', says: '≤ 13 kB, the contract' },
  { what: 'size of Entity', suite: 'size', row: 'Entity alone', says: '≤ 2.5 kB, the contract' },
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
