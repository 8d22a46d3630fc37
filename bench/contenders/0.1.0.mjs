import { pathToFileURL } from 'node:url'
import { releaseDoor } from '../release.mjs'
import { OLD } from './index.mjs'
import { createOurs } from './ours.mjs?0.1.0'
import { shapes } from './shapes.mjs?0.1.0'

const library = await import(pathToFileURL(releaseDoor()).href)

/** @type {import('./index.mjs').Contender} */
export const contender = { ...createOurs(OLD, library, shapes(library.Entity)), packages: [] }
