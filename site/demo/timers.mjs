/** As much of `node:timers/promises` as the demo's server needs. */
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export { wait as setTimeout }
