import { devtools, type Devtools } from 'patchcord/devtools'
import { controller } from './session.ts'

/** Every commit and request of this page, in a panel below the page or beside it. */
export const tools: Devtools = devtools(controller, { name: 'tracker' })
