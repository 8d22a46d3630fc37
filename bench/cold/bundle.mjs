import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { bundled } from '../weigh.mjs'
import { OLD } from '../contenders/index.mjs'
import { releaseDoor } from '../release.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bench = join(root, 'bench')
const shapes = JSON.stringify(join(bench, 'contenders/shapes.mjs'))

/** A small application over a build of this library. */
const ours = door => `
  import { Controller, createResource, Entity, RestEndpoint } from ${JSON.stringify(door)}
  import { shapes } from ${shapes}
  const { Project } = shapes(Entity)
  export const resource = createResource({ path: '/projects/:id', schema: Project })
  const list = new RestEndpoint({ path: '/projects', schema: { project: [Project] } })
  export function start(text) {
    const controller = new Controller()
    controller.setResponse(list, JSON.parse(text))
    return controller.getResponse(list).data
  }`

/** The same over data-client, with what its provider needs to fetch. */
const dataClient = `
  import { Controller, createReducer, initialState } from '@data-client/core'
  import { createResource, Entity, RestEndpoint } from '@data-client/rest'
  import { shapes } from ${shapes}
  export { applyManager, NetworkManager, PollingSubscription, SubscriptionManager } from '@data-client/core'
  const { Project } = shapes(Entity)
  export const resource = createResource({ path: '/projects/:id', schema: Project })
  const list = new RestEndpoint({ path: '/projects', schema: { project: [Project] } })
  export function start(text) {
    const controller = new Controller()
    const reducer = createReducer(controller)
    let state = initialState
    controller.dispatch = action => {
      state = reducer(state, action)
      return Promise.resolve()
    }
    controller.setResponse(list, JSON.parse(text))
    return controller.getResponse(list, state).data
  }`

/** Who starts, and the entry of its bundle. Made when asked for: a release may have to be built first. */
export const STARTERS = {
  patchcord: () => [root, ours(join(root, 'dist/index.js'))],
  [OLD]: () => [root, ours(releaseDoor())],
  'data-client': () => [bench, dataClient],
}

/**
 * The minified bundle of one who starts: a script that defines `app`.
 *
 * @param {string} who
 * @returns {Promise<string>} its file
 */
export async function bundleFor(who) {
  const { code } = await bundled(...STARTERS[who](), { format: 'iife', name: 'app' })
  const file = join(root, 'node_modules/.cache/patchcord-cold', `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`)
  if (existsSync(file)) return file
  const { code: small } = await minify(code, { compress: { passes: 2 } })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, small)
  return file
}
