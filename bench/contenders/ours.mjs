import { effect, signal } from '@preact/signals-core'
import { installTransport, open } from './transport.mjs'

/** @import { Contender } from './index.mjs' */

const HOST = 'http://bench.example'
const never = () => new Promise(() => {})

/**
 * A build of this library as a contender, through its public door alone: this version and 0.1.0 take part by the same
 * code.
 *
 * @param {string} name
 * @param {any} library
 * @param {ReturnType<import('./shapes.mjs').shapes>} shapes
 * @returns {Contender}
 */
export function createOurs(name, library, shapes) {
  const { applyPatches, Controller, denormalize, emptyState, Endpoint, normalize, RestEndpoint, schema } = library
  const { Article, BuildType, Item, NumberedItem, OwnedItem, Owner, PlainArticle, Project } = shapes
  const collection = new schema.Collection([Item])
  let clock = 0

  const schemas = {
    payload: { project: [Project] },
    item: Item,
    items: [Item],
    numberedItems: [NumberedItem],
    ownedItems: [OwnedItem],
    owner: Owner,
    articles: [Article],
    plainArticles: [PlainArticle],
    buildType: BuildType,
    collection,
    push: collection.push,
  }
  const each = make => Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, make(key, schema)]))

  const plain = each((key, schema) => new Endpoint(never, { name: key, schema, key: ({ id }) => `${key} ${id}` }))
  const endpoints = each((key, schema) => new RestEndpoint({ urlPrefix: HOST, path: `/${key}/:id`, schema }))
  const calls = each(
    (key, schema) =>
      new Endpoint(never, { name: `put ${key}`, sideEffect: true, schema, key: ({ id }) => `put ${key} ${id}`, getOptimisticResponse: (_snap, params, body) => ({ ...params, ...body }) }),
  )

  function controller() {
    const listeners = new Set()
    // Pending calls must neither fill the line of requests nor time out while a row runs.
    const controller = new Controller({ concurrency: 10_000, timeout: 3_600_000, managers: [{ commit: commit => listeners.forEach(listener => listener(commit)) }] })
    const onCommit = listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    const everything = { testKey: () => true }
    return {
      fill: inputs => inputs.forEach((input, id) => controller.setResponse(plain.item, { id }, input)),
      respond: (key, id, input) => controller.setResponse(plain[key], { id }, input),
      read: (key, id) => controller.getResponse(plain[key], { id }).data,
      watch: (key, id) => void effect(() => void controller.getResponse(plain[key], { id }).data),
      status: (key, id) => controller.getResponse(plain[key], { id }),
      invalidateAll: () => controller.invalidateAll(everything),
      expireAll: () => controller.expireAll(everything),
      async open(key, id) {
        installTransport()
        const land = await open(`${HOST}/${key}/${id}`, () => controller.fetch(endpoints[key], { id }))
        return {
          async land(input, stop) {
            const ignore = stop ? onCommit(stop) : undefined
            try {
              return await land(input)
            } finally {
              ignore?.()
            }
          },
        }
      },
      readFetched: (key, id) => controller.getResponse(endpoints[key], { id }).data,
      // The data alone: `getResponse` also tells when it expires, which a new response changes.
      watchFetched: (key, id, ran = () => {}) => effect(() => void ran(controller.view(endpoints[key], { id }).value)),
      call: (key, id, change) => void controller.fetch(calls[key], { id }, change).catch(() => {}),
      onCommit,
      dispose: () => controller.dispose(),
    }
  }

  /** A store that is read by the names of endpoints: the controller, as an application has it. */
  function views() {
    let controlled = controller()
    /** @type {Map<string, any>} */
    const inputs = new Map()
    return {
      respond(key, input) {
        inputs.set(key, input)
        controlled.respond(key, 0, input)
      },
      read: key => controlled.read(key, 0),
      watch: key => controlled.watch(key, 0),
      // Another controller with the same data: what it shows was never built.
      forget() {
        controlled.dispose()
        controlled = controller()
        for (const [key, input] of inputs) controlled.respond(key, 0, JSON.parse(JSON.stringify(input)))
      },
    }
  }

  /** Rows as live objects, read by effects of signals. */
  function live() {
    const controller = new Controller()
    return {
      respond: (key, input) => controller.setResponse(plain[key], { id: 0 }, input),
      read: key => controller.live(plain[key], { id: 0 }),
      effect,
      signal,
    }
  }

  return {
    name,
    packages: ['patchcord'],
    empty: emptyState,
    schemas,
    write(schema, input, state, args = []) {
      const now = ++clock
      const meta = { fetchedAt: now, date: now, expiresAt: now + 60_000 }
      const { result, patches, stamps } = normalize(schema, input, args, state, meta)
      return { result, patches, state: applyPatches(state, patches, stamps) }
    },
    view: (schema, result, state, args) => denormalize(schema, result, state, args),
    views,
    controller,
    live,
  }
}
