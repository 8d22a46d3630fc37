/** A disk in memory, with the functions of Node that a guide uses: a page has no files. */
const files = new Map()

export const mkdtemp = async (prefix) => `${prefix}${Math.random().toString(36).slice(2, 8)}`

export async function readFile(file) {
  if (!files.has(file)) throw new Error(`ENOENT: no such file: ${file}`)
  return files.get(file)
}

export async function rename(from, to) {
  files.set(to, await readFile(from))
  files.delete(from)
}

export const writeFile = async (file, text) => void files.set(file, text)
export const tmpdir = () => '/tmp'
export const join = (...parts) => parts.join('/')
