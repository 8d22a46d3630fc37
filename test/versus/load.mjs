// Loads a build by its path and finds where 0.1.0 and version 2 offer the same thing in different ways.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A build: its main door, and a function that gives the history of a controller. `tag` makes a second instance of the same file. */
export async function loadBuild(path, tag = '') {
  const load = file => import(`${pathToFileURL(file)}${tag && `?${tag}`}`)
  const lib = await load(path)
  const door = [join(dirname(path), 'history.js'), join(dirname(path), 'history', 'index.js')].find(file => existsSync(file))
  const createHistory = lib.createHistory ?? (door && (await load(door)).createHistory)
  const history = controller => {
    if (controller.history) return controller.history
    if (!createHistory) throw new Error(`${path} has neither controller.history nor a door with createHistory.`)
    return createHistory(controller)
  }
  return { lib, history }
}
