// Faults of one line, planted into a copy of what was compiled from this checkout. The comparison must find each of them.
//
// `in` is the file, `text` occurs in it exactly once, `instead` replaces it. `pure`: it shows in the pure functions.
// The texts are those of tsc. When a source changes so that one no longer fits, `--faults` says so: rewrite it.

export const faults = [
  // Order
  { name: 'a late read lands on top of newer data', in: 'order/Log.js', text: 'const next = at === this.#entries.length ? apply(base, entry)', instead: 'const next = true ? apply(base, entry)' },
  { name: 'pending calls are not run again over newer data', in: 'order/Layer.js', text: 'if (this.beneath !== beneath)', instead: 'if (this.beneath === undefined)' },
  { name: 'a late read brings back a deleted row', in: 'normalize/fold.js', text: 'if (known?.deleted && stamp.fetchedAt < known.fetchedAt)', instead: 'if (false)' },
  { name: 'a late deletion removes a newer row', pure: true, in: 'normalize/fold.js', text: 'if (options.overtaken || (known !== undefined && deleted.fetchedAt < known.fetchedAt))', instead: 'if (options.overtaken)' },
  { name: 'foreign removals leave no tombstone', in: 'order/changeOperations.js', text: 'if (deletes)', instead: 'if (false)' },
  { name: 'answers do not wait for older pending calls', in: 'order/Timeline.js', text: 'if (earlier.some(', instead: 'if (false && earlier.some(' },
  { name: 'pending calls keep temporary pks', in: 'order/Timeline.js', text: 'layer.rename(byName);', instead: ';' },
  { name: 'a failed call keeps its optimistic layer', in: 'order/Timeline.js', text: 'layers: this.layers.filter(layer => layer !== call && ', instead: 'layers: this.layers.filter(layer => ' },
  // Requests
  { name: 'reads in flight are not shared', in: 'controller/Requests.js', text: '(this.#reads.get(key) ?? (awaited.length ?', instead: '((awaited.length ?' },
  { name: 'calls to one entity are sent at once', in: 'controller/Requests.js', text: 'if (each.lane === request.lane)', instead: 'if (false)' },
  { name: 'a reset ends no request', in: 'controller/Controller.js', text: 'this.requests.end(() => new ResetError());', instead: ';' },
  { name: 'creations are retried', in: 'network/network.js', text: 'return !endpoint.sideEffect ||', instead: 'return true ||' },
  // Freshness
  { name: 'an older failure replaces a newer answer', in: 'controller/Freshness.js', text: 'Math.max(known.fetchedAt, known.invalidAt)', instead: 'known.invalidAt' },
  { name: 'an answer does not renew the expiry', in: 'controller/Freshness.js', text: 'expiresAt: fetchedAt < known.expiredAt ? 0 : expiresAt', instead: 'expiresAt: known.expiresAt || expiresAt' },
  { name: 'an invalidation is met by an older answer', in: 'controller/createLive.js', text: '|| status.fetchedAt < status.invalidAt', instead: '|| (!status.fetchedAt && status.invalidAt > 0)' },
  { name: 'a page without its list counts', in: 'controller/Freshness.js', text: ' && listed.fetchedAt', instead: '' },
  // Store
  { name: 'an index keeps old entries', in: 'store/SecondaryIndex.js', text: 'if (old && old.delete(slot) && old.size === 0)', instead: 'if (false)' },
  { name: 'a push does not look for duplicates', in: 'schema/Creation.js', text: 'return collection.includes(members[0]) ? [] : members;', instead: 'return members;' },
  { name: 'inverse patches lead forward', in: 'order/Commit.js', text: 'patchesBetween(this.after, this.before)', instead: 'patchesBetween(this.before, this.after)' },
  { name: 'removed members of lists are missing in patches', in: 'store/patches.js', text: 'patches.push(isGone ?', instead: 'isGone || patches.push(isGone ?' },
  { name: 'rows on screen are collected', in: 'controller/garbage.js', text: 'cell.idleAt = isUse ? 0 : cell.idleAt || tick;\n            if (reached.has(cell))\n                return;\n            reached.add(cell);', instead: ';' },
  // Views
  { name: 'views of a changed row stay', in: 'view/ViewGraph.js', text: 'stack.push(parent);', instead: ';' },
  { name: 'equal views are made anew', in: 'view/Builder.js', text: 'isEntity && sameFields(before, made) ? before :', instead: 'isEntity ? made :' },
  { name: 'a list is not there while it is filled', in: 'view/Builder.js', text: 'owner.view = list;', instead: ';' },
  { name: 'every commit wakes every reader of what it touched', in: 'view/ViewGraph.js', text: 'isChanged = hasFailed || !identical(root.seen, before);', instead: 'isChanged = true;' },
  { name: 'a live list keeps rows that are gone', in: 'view/LiveRow.js', text: 'this.#isVisible = record !== undefined;\n        this.#record', instead: 'this.#isVisible ||= record !== undefined;\n        this.#record' },
  // History
  { name: 'an undo overwrites what others have changed', in: 'history/inverse.js', text: 'else if (!equal(after, current))', instead: 'else if (false)' },
  { name: 'an undo leaves list membership', in: 'history/inverse.js', text: 'value: rebaseValue(current, after, before)', instead: 'value: current' },
  { name: 'a group is undone in the wrong direction', in: 'history/createHistory.js', text: 'isUndone ? steps.findLast(isNext) :', instead: 'isUndone ? steps.find(isNext) :' },
  { name: 'a failed undo is not put back', in: 'history/createHistory.js', text: 'steer(group, !isUndone);', instead: ';' },
  // Pure functions
  { name: 'required nested entities may be deleted', pure: true, in: 'view/Builder.js', text: 'if (member === INVALID && defaultsOf(entity)[name])', instead: 'if (false)' },
  { name: 'the word undefined is a pk', pure: true, in: 'schema/plan.js', text: '(isSpilled &&', instead: '(false &&' },
  { name: 'a state with a key __proto__ is imported', pure: true, in: 'hydration/transfer.js', text: ' && !hasProto(given)', instead: '' },
  { name: 'late data overwrites newer fields', pure: true, in: 'normalize/fold.js', text: 'const next = isOlder ? mergeUnder(', instead: 'const next = false ? mergeUnder(' },
]
