/**
 * A store that remembers its views, as an application has it. Schemas go by their names.
 *
 * @typedef {object} Views
 * @property {(schema: string, input: any) => void} respond A response comes in; the endpoint of that name now has it.
 * @property {(schema: string) => any} read The view of what that endpoint has.
 * @property {(schema: string) => void} watch Somebody shows it, and goes on showing it.
 * @property {() => void} forget Drops all views, keeps the data.
 */

/**
 * A store whose rows are read as live objects: the same object while its fields change.
 *
 * @typedef {object} Live
 * @property {(schema: string, input: any) => void} respond
 * @property {(schema: string) => any} read
 * @property {(work: () => void) => () => void} effect Runs again when something that it read has changed.
 * @property {(value: any) => { value: any }} signal
 */

/**
 * A controller, as an application has it. Endpoints go by the names of schemas and a number, their argument.
 *
 * @typedef {object} Controlled
 * @property {(inputs: any[]) => void} fill A new controller gets one answer for each item, of an endpoint each.
 * @property {(schema: string, id: number, input: any) => void} respond An answer comes in.
 * @property {(schema: string, id: number) => any} read What a read of the endpoint shows.
 * @property {(schema: string, id: number) => { expiryStatus: number, expiresAt: number }} status
 * @property {() => void} invalidateAll
 * @property {() => void} expireAll
 */

/**
 * What a suite may ask of a library. State and results are the library's own affair.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {string[]} packages Whose versions stand in the results.
 * @property {any} empty The state with nothing in it.
 * @property {Record<string, any>} schemas What it cannot express is missing.
 * @property {boolean} [transformsOnly] It makes tables of a response but cannot write into a state that has some.
 * @property {(schema: any, input: any, state: any, args?: any[]) => { result: any, state: any, patches?: any[] }} write
 *   Normalizes and applies.
 * @property {() => Views} [views]
 * @property {() => Controlled} [controller]
 * @property {() => Live} [live]
 * @property {(schema: any, result: any, state: any, args?: any[]) => any} view Denormalizes, nothing remembered.
 */

export const NAMES = /** @type {const} */ (['patchcord', 'data-client', 'normalizr'])

/**
 * A contender that does not load is left out of the rows, with the reason.
 *
 * @param {readonly string[]} [names]
 * @returns {Promise<{ contenders: Contender[], missing: Record<string, string> }>}
 */
export async function loadContenders(names = NAMES) {
  const contenders = []
  /** @type {Record<string, string>} */
  const missing = {}
  for (const name of names) {
    try {
      contenders.push((await import(`./${name}.mjs`)).contender)
    } catch (error) {
      missing[name] = String(/** @type {Error} */ (error).message).split('\n')[0].replace(/(?:file:\/\/)?\/\S*\//g, '')
    }
  }
  return { contenders, missing }
}
