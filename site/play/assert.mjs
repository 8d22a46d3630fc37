/** The one function of Node's `assert` that Solid's compiler calls. */
const assert = (condition, message = 'An assertion of the compiler failed.') => {
  if (!condition) throw new Error(message)
}

export { assert as default }
