import * as library from '../../dist/index.js'
import { createOurs } from './ours.mjs?patchcord'
import { shapes } from './shapes.mjs?patchcord'

/** @type {import('./index.mjs').Contender} */
export const contender = createOurs('patchcord', library, shapes(library.Entity))
