import * as door from '../../src/index.ts'

/** Whether the suites run against version 2: there `subscribe` is a function of the door, in version 1 a method of the controller. */
export const isNext: boolean = 'subscribe' in door
