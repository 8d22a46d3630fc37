const NAME = /^[A-Za-z_$][\w$]*$/

const quoted = (text) => {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : '`'
  return `${quote}${text.replaceAll('\n', '\\n')}${quote}`
}

/** A value as the console of Node prints it, for what examples print: data, errors, classes, maps. */
export function inspect(value, depth = 0, above = []) {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return /^class\b/.test(Function.prototype.toString.call(value)) ? `[class ${value.name || '(anonymous)'}]` : `[Function: ${value.name || '(anonymous)'}]`
  if (typeof value === 'symbol') return value.toString()
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (above.includes(value)) return '[Circular *1]'
  if (value instanceof Error) return value.stack?.startsWith(value.name) ? `${value.name}: ${value.message}` : String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Promise) return 'Promise { <pending> }'
  if (value instanceof URL) return value.href
  const name = nameOf(value)
  if (depth > 2) return Array.isArray(value) ? '[Array]' : `[${name || 'Object'}]`
  const inner = (each) => inspect(each, depth + 1, [...above, value])
  if (Array.isArray(value)) return wrap('', '[', value.map(inner), ']', depth)
  if (value instanceof Map) return wrap(`Map(${value.size}) `, '{', [...value].map(([key, each]) => `${inner(key)} => ${inner(each)}`), '}', depth)
  if (value instanceof Set) return wrap(`Set(${value.size}) `, '{', [...value].map(inner), '}', depth)
  const members = Object.keys(value).map((key) => {
    const { get, set } = Object.getOwnPropertyDescriptor(value, key)
    return `${NAME.test(key) ? key : quoted(key)}: ${get ? (set ? '[Getter/Setter]' : '[Getter]') : inner(value[key])}`
  })
  return wrap(name ? `${name} ` : '', '{', members, '}', depth)
}

function nameOf(value) {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null) return '[Object: null prototype]'
  const name = prototype.constructor?.name
  return name === 'Object' || prototype === Object.prototype ? '' : name
}

/** One line where it is short, as Node decides: at most 72 characters, and not too deep. */
function wrap(prefix, open, members, close, depth) {
  if (members.length === 0) return `${prefix}${open}${close}`
  const line = `${prefix}${open} ${members.join(', ')} ${close}`
  const isShort = members.length <= 6 || open === '{'
  if (isShort && line.length <= 76 && !line.includes('\n')) return line
  const indent = '  '.repeat(depth + 1)
  return `${prefix}${open}\n${members.map((member) => indent + member).join(',\n')}\n${'  '.repeat(depth)}${close}`
}
