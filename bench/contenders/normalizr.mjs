import { denormalize, normalize, schema } from 'normalizr'

/** @import { Contender } from './index.mjs' */

const buildType = new schema.Entity('BuildType')
const project = new schema.Entity('Project', { buildTypes: { buildType: [buildType] } })
const item = new schema.Entity('Item')

/**
 * It turns a response into tables and leaves the store to its user: no write into a state that has
 * something, no collections. Rows about those leave it blank.
 *
 * @type {Contender}
 */
export const contender = {
  name: 'normalizr',
  packages: ['normalizr'],
  empty: {},
  schemas: { payload: { project: [project] }, item, items: [item], numberedItems: [new schema.Entity('NumberedItem')] },
  transformsOnly: true,
  write(schema, input) {
    const { result, entities } = normalize(input, schema)
    return { result, state: entities }
  },
  view: (schema, result, state) => denormalize(result, schema, state),
}
