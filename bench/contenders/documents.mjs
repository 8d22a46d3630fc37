/**
 * The responses of all suites as a GraphQL server sends them, and the documents that ask for them.
 *
 * The same data: what differs is that each object says its type, and that what is not there is sent as null.
 */
const BUILD_TYPE = '__typename id internalId name projectId projectName type paused href webUrl'
const ITEM = '__typename id title done rank owner'

export const queries = {
  payload: `query Payload { project {
    __typename id internalId uuid name parentProjectId position archived href webUrl description
    parameters { __typename count property { __typename name value inherited } }
    buildTypes { __typename count buildType { ${BUILD_TYPE} } }
  } }`,
  items: `query Items { items { ${ITEM} } }`,
  numberedItems: `query NumberedItems { numberedItems { ${ITEM} } }`,
  ownedItems: 'query OwnedItems { ownedItems { __typename id title done rank owner { __typename id name } } }',
}

/** One entity: all of it, or a field. */
export const fields = { item: ITEM, change: '__typename id rank', owner: '__typename id name' }

const item = record => ({ __typename: 'Item', ...record })
const owner = record => ({ __typename: 'Owner', ...record })
const property = record => ({ __typename: 'Property', ...record })

function project({ buildTypes, description = null, parameters = null, ...own }) {
  return {
    __typename: 'Project',
    ...own,
    description,
    parameters: parameters && { __typename: 'Parameters', count: parameters.count, property: parameters.property.map(property) },
    buildTypes: { __typename: 'BuildTypes', count: buildTypes.count, buildType: buildTypes.buildType.map(one => ({ __typename: 'BuildType', ...one })) },
  }
}

const senders = {
  payload: input => ({ project: input.project.map(project) }),
  item,
  owner,
  items: input => ({ items: input.map(item) }),
  numberedItems: input => ({ numberedItems: input.map(record => ({ __typename: 'NumberedItem', ...record })) }),
  ownedItems: input => ({ ownedItems: input.map(record => ({ __typename: 'OwnedItem', ...record, owner: owner(record.owner) })) }),
  push: input => input.map(item),
}

/** @param {keyof typeof senders} schema */
export const sends = (schema, input) => senders[schema](input)
