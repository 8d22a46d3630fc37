const targets = [Object.prototype, Array.prototype, Function.prototype, Object, Array, Map.prototype] as const

const names = (): string => JSON.stringify(targets.map((target) => Reflect.ownKeys(target).map(String)))
const before = names()

/** Whether the prototypes that all code shares have the members that they had when the tests were loaded. */
export const pristine = (): boolean => names() === before
