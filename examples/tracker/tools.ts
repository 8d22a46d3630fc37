import { devtools, type Devtools } from 'patchcord/devtools'
import { controller } from './session.ts'

/** Every commit and request of this page, in a panel that the button in the corner opens. */
export const tools: Devtools = devtools(controller, { name: 'tracker' })
