import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a user measures: a response as it comes off the wire, and where its schema is. */
/** @typedef {{ text: string, schema: string, name: string }} Input */

/**
 * @param {string | undefined} payload a file with JSON
 * @param {string | undefined} schema a module whose default export is the schema of that JSON
 * @returns {Input | undefined}
 */
export function readInput(payload, schema) {
  if (payload === undefined && schema === undefined) return undefined
  if (payload === undefined || schema === undefined) throw new Error('A payload needs its schema, and a schema its payload: --payload file.json --schema file.ts')
  for (const file of [payload, schema]) if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const text = readFileSync(payload, 'utf8')
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Error(`${payload} is no JSON: ${/** @type {Error} */ (error).message}`, { cause: error })
  }
  return { text, schema: pathToFileURL(resolve(schema)).href, name: payload }
}

/**
 * The schema of a user's module.
 *
 * @param {(url: string) => Promise<any>} load imports it from where the right library is found
 * @param {string} url
 */
export async function schemaOf(load, url) {
  const file = decodeURIComponent(url.split('/').at(-1) ?? url)
  let module
  try {
    module = await load(url)
  } catch (error) {
    throw new Error(`${file} does not load: ${/** @type {Error} */ (error).message}`, { cause: error })
  }
  const schema = module.default
  if (schema === undefined) throw new Error(`${file} has no default export. Write \`export default\` before the schema: an entity class, [Todo], { items: [Todo] }, a Collection …`)
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) throw new Error(`The default export of ${file} is no schema but ${JSON.stringify(schema)}.`)
  return schema
}
