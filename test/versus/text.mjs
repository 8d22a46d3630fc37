// Values as text, so that two builds with different classes and objects can be compared.

const cache = new WeakMap()

/** The text of a frozen value. It is computed once, because a frozen value does not change. */
export function textOf(value) {
  if (typeof value !== 'object' || value === null) return write(value, [])
  let text = cache.get(value)
  if (text === undefined) {
    text = write(value, [])
    if (Object.isFrozen(value)) cache.set(value, text)
  }
  return text
}

/** The text of a value that may change in place. */
export function freshText(value) {
  return write(value, [])
}

function write(value, above) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  // A cycle: how many levels up the same entity stands. Lists are walked through, two equal ones may be one object.
  const up = Array.isArray(value) ? -1 : above.indexOf(value)
  if (up >= 0) return `^${above.length - up}`
  if (value instanceof Date) return `Date ${value.getTime()}`
  if (value instanceof Error) return errorText(value)
  if (above.length > 60) return '…'
  above.push(value)
  let text
  if (Array.isArray(value)) {
    const parts = []
    for (let i = 0; i < value.length; i++) parts.push(i in value ? write(value[i], above) : 'hole')
    text = `[${parts.join(', ')}]`
  } else if (value instanceof Map) {
    text = `Map {${[...value].map(([key, member]) => `${write(key, above)} => ${write(member, above)}`).sort().join(', ')}}`
  } else {
    const parts = Object.keys(value).sort().map(name => `${name}: ${write(value[name], above)}`)
    text = `${className(value)}{ ${parts.join(', ')} }`
  }
  above.pop()
  return text
}

function className(value) {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return ''
  const made = prototype.constructor
  return `${(typeof made?.key === 'string' && made.key) || made?.name || 'unnamed'} `
}

/** An error by what a program can test: name, code, status. The message is for people. */
export function errorText(error) {
  if (!(error instanceof Error)) return `thrown ${write(error, [])}`
  return [error.name, error.code, error.status].filter(part => part !== undefined).join(' ')
}
