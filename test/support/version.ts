import * as door from '../../src/index.ts'

/** Whether the suites are aimed at version 2, whose front door has `subscribe`. */
export const isNext: boolean = 'subscribe' in door
