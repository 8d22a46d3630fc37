/** The examples on the page that is open, by their index: each has its code as it is now. */
const open = new Map()

export const register = (index, example) => {
  open.set(index, example)
  return () => {
    if (open.get(index) === example) open.delete(index)
  }
}

/** The examples up to one, in order: a later one needs what the earlier ones declare. */
export const programUpTo = (index) =>
  [...open]
    .filter(([at]) => at <= index)
    .sort(([a], [b]) => a - b)
    .map(([, example]) => ({ code: example.code(), expected: example.expected }))
