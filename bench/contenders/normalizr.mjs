import { denormalize, normalize, schema } from 'normalizr'

/** @import { Contender } from './index.mjs' */

const buildType = new schema.Entity('BuildType')
const project = new schema.Entity('Project', { buildTypes: { buildType: [buildType] } })
const item = new schema.Entity('Item')

/**
 * It turns a response into tables and leaves the store to its user: no write into a state that has something, no lists
 * that are added to, no memory of views.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'normalizr',
  packages: ['normalizr'],
  empty: {},
  schemas: { payload: { project: [project] }, item, items: [item], numberedItems: [new schema.Entity('NumberedItem')] },
  blanks: {
    state: 'makes tables of a response, and leaves the store to its user',
    push: 'has no lists',
    views: 'has no store',
    controller: 'has no endpoints',
  },
  write(schema, input) {
    const { result, entities } = normalize(input, schema)
    return { result, state: entities }
  },
  view: (schema, result, state) => denormalize(result, schema, state),
}
