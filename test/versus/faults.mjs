// Single-line faults, planted into a copy of a build. The comparison must find each of them.
//
// `variants` are pairs [text, replacement]; the first whose text occurs in `index.js` of the build is planted. A build
// of other sources needs variants of its own. `pure`: the fault shows in the pure functions.

export const faults = [
  // Order
  { name: 'a late read lands on top of newer data', variants: [['column !== undefined && column.top > place', 'false']] },
  { name: 'pending calls are not run again over newer data', variants: [['if (made.beneath !== at)', 'if (made.after === undefined)']] },
  { name: 'a failed call keeps its optimistic layer', variants: [['intents.delete(call);', ';']] },
  { name: 'a creation brings back a deleted row', variants: [['existing !== undefined || known?.deleted', 'existing !== undefined']] },
  { name: 'writes from outside leave no tombstone', variants: [['super.mark(cell, Object.freeze({ ...times, deleted: true }));', 'super.mark(cell, undefined);']] },
  { name: 'answers do not wait for older pending calls', variants: [['const waits = intents.overlap(call.footprint, call);', 'const waits = false;']] },
  { name: 'pending calls keep temporary pks', variants: [['intent.rename(names);', ';']] },
  { name: 'the last pending call lies lowest', variants: [['this.set(intent, {});', 'const others = [...this.keys()]; this.set(intent, {}); this.#arrange([intent, ...others]);']] },
  { name: 'rows of a late read arrive in the order of delivery', variants: [['draft.arriveAt(next[i].cell, start + i)', 'void 0']] },
  // Requests
  { name: 'reads in flight are not shared', variants: [['reads.get(key) ?? read(', 'read(']] },
  { name: 'calls to one entity are sent at once', variants: [['lane: mutation.lane', 'lane: undefined']] },
  { name: 'a reset ends no request', variants: [['requests.endAll(() => new ResetError());', ';']] },
  { name: 'creations are retried', variants: [['(!endpoint.sideEffect || ', '(true || ']] },
  // Freshness
  { name: 'an older failure replaces a newer answer', variants: [['Math.max(known.fetchedAt ?? 0, known.invalidAt)', 'known.invalidAt']] },
  { name: 'an answer does not renew the expiry', variants: [['next.expiresAt = fetchedAt < next.expiredAt ? 0 : expiresAt;', 'next.expiresAt ||= expiresAt;']] },
  { name: 'an invalidation is met by an older answer', variants: [['fetchedAt < invalidAt', 'false']] },
  // Store
  { name: 'an index keeps old entries', variants: [['this.#drop(old, slot);', ';']] },
  { name: 'a push does not look for duplicates', variants: [['const fresh = freshMembers(creation, has);\n    return fresh.length === 0 ? collection : [...collection].concat(fresh);', 'const fresh = [...Object.values(creation)];\n    return fresh.length === 0 ? collection : [...collection].concat(fresh);']] },
  { name: 'results of endpoints are missing in patches', variants: [['for (const table of [...cells.tables, cells.endpoints]) {', 'for (const table of [...cells.tables]) {']] },
  { name: 'inverse patches lead forward', variants: [['(this.#inverse ??= diffStates(this.after, this.before))', '(this.#inverse ??= diffStates(this.before, this.after))']] },
  { name: 'rows in use are collected', variants: [['heap.forEachUse(use);', ';']] },
  // Views
  { name: 'parents of a changed row are not rebuilt', variants: [['mark(parent);', ';']] },
  { name: 'every commit wakes every reader', variants: [['!Object.is(shown(settle(node)), shown(before)) || hadFailed', 'true'], ['differs(node, before) && bump(node)', 'bump(node)']] },
  // History
  { name: 'an undo leaves list membership', variants: [['const { patches, kept } = inverseOf(this.#changes, this.#host.told());', "const { patches, kept } = inverseOf(this.#changes.filter(({ key }) => !key.startsWith('[')), this.#host.told());"]] },
  { name: 'a failed undo is not put back', variants: [['from.push(group);', ';']] },
  { name: 'an undo overwrites what others have changed', variants: [['!equal(now[field], after[field]) &&', 'false &&']] },
  { name: 'a group is undone in the wrong direction', variants: [['[...group.steps].reverse()', '[...group.steps]']] },
  // Pure functions
  { name: 'half of the patches apply', pure: true, variants: [['draft.abandon();\n        throw error;\n    }\n}\n/** Everything else is found', 'return draft.finish();\n    }\n}\n/** Everything else is found']] },
  { name: 'required nested entities may be deleted', pure: true, variants: [['if (value === INVALID && plan.defaults[field])', 'if (false)']] },
  { name: 'an empty pk is a pk', pure: true, variants: [["if (pk === '')\n            return undefined;", '']] },
  { name: 'a state with a key __proto__ is imported', pure: true, variants: [['if (losses.proto)\n        throw refused(', 'if (false)\n        throw refused(']] },
]
