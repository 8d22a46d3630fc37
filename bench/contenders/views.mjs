import { effect, signal } from '@preact/signals-core'
import { normalizeInto } from '../../build/src/normalize/normalize.js'
import { Entity } from '../../build/src/schema/Entity.js'
import { Draft } from '../../build/src/store/draft.js'
import { createStore } from '../../build/src/store/store.js'
import { createLiveViews } from '../../build/src/view/live.js'
import { signalTracker } from '../../build/src/view/signalTracker.js'
import { shapes } from './shapes.mjs?views'

/** @import { Live } from './index.mjs' */

const { Article, Item, OwnedItem, Owner, PlainArticle, Project } = shapes(Entity)
const schemas = {
  payload: { project: [Project] },
  item: Item,
  items: [Item],
  ownedItems: [OwnedItem],
  owner: Owner,
  articles: [Article],
  plainArticles: [PlainArticle],
}
let clock = 0

const raise = error => {
  throw error
}

/** A response comes in. */
const responding = store => (name, input) => {
  const now = ++clock
  const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
  const draft = new Draft(store.state)
  const result = normalizeInto(draft, schemas[name], input, [], meta)
  draft.write(draft.intern(draft.cells.endpoints, name), result)
  const next = draft.finish()
  store.advance(next, next, { cause: 'setResponse' })
}

/**
 * A store whose rows are read as live objects, and the reactive library that reads them.
 *
 * @returns {Live}
 */
export function live() {
  const store = createStore()
  let views
  // Made when somebody reads, so that a store without readers costs what it costs.
  return { respond: responding(store), read: name => (views ??= createLiveViews(store, signalTracker, raise)).result(schemas[name], name), effect, signal }
}
