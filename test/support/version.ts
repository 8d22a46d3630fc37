import * as door from '../../src/index.ts'

/** Whether the suites are aimed at version 2: it has `subscribe` as a function of its own. */
export const isNext: boolean = 'subscribe' in door
