import { existsSync } from 'node:fs'
import { NEXT } from './index.mjs'
import { createOurs } from './ours.mjs?patchcord-next'
import { shapes } from './shapes.mjs?patchcord-next'

const door = new URL('../../build/src/next/index.js', import.meta.url)
if (!existsSync(door)) throw new Error('build/src/next/index.js is not there')
const library = await import(door.href)

/** @type {import('./index.mjs').Contender} */
export const contender = createOurs(NEXT, library, shapes(library.Entity))
