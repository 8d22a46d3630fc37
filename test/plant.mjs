import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Plants a fault in a file, and gives what takes it out again. What is to be replaced must be there: a fault that is
 * not planted is found by nobody.
 *
 * @param {string} path
 * @param {string} name
 * @param {readonly string[]} pairs What is replaced, and by what; and again.
 */
export function plant(path, name, pairs) {
  const code = readFileSync(path, 'utf8')
  let planted = code
  for (let i = 0; i < pairs.length; i += 2) {
    if (!planted.includes(pairs[i])) throw new Error(`${name}: ${path} has no "${pairs[i]}"`)
    planted = planted.replace(pairs[i], () => pairs[i + 1])
  }
  writeFileSync(path, planted)
  return () => writeFileSync(path, code)
}

/** Plants each and takes it out at once: a fault that no longer fits the code is reported before hours have passed. */
export function tryAll(faults) {
  for (const [path, name, pairs] of faults) plant(path, name, pairs)()
}
