import { effect } from '@preact/signals-core'
import { normalizeInto } from '../../build/src/normalize/normalize.js'
import { Entity } from '../../build/src/schema/Entity.js'
import { Store } from '../../build/src/store/store.js'
import { ViewGraph } from '../../build/src/view/graph.js'
import { shapes } from './shapes.mjs?views'

/** @import { Views } from './index.mjs' */

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

/**
 * A store and its graph of views, without the controller over them: what the rows are about, and nothing else.
 *
 * @returns {Views}
 */
export function views() {
  const store = new Store()
  const raise = error => {
    throw error
  }
  let graph = new ViewGraph(store, raise)
  return {
    respond(name, input) {
      const now = ++clock
      const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
      store.transact(
        draft => {
          const result = normalizeInto(draft, schemas[name], input, [], meta)
          draft.writeResult(draft.intern(draft.cells.endpoints, name), result)
        },
        { cause: 'setResponse' },
      )
    },
    read: name => graph.result(schemas[name], name, []),
    watch: name => void effect(() => void graph.result(schemas[name], name, [])),
    forget() {
      graph.dispose()
      graph = new ViewGraph(store, raise)
    },
  }
}
