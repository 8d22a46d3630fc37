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
 * @property {(schema: string, id: number) => void} watch Somebody shows it, and goes on showing it.
 * @property {(schema: string, id: number) => Promise<Flight>} [open] Starts a fetch; resolves when it is in flight.
 * @property {(schema: string, id: string, change: object) => void} [call] Starts an optimistic update that stays pending.
 * @property {(listener: (commit: { patches: readonly any[] }) => void) => () => void} [onCommit]
 * @property {() => void} [dispose]
 * @property {(schema: string, id: number) => { expiryStatus: number, expiresAt: number }} status
 * @property {() => void} invalidateAll
 * @property {() => void} expireAll
 */

/**
 * A request in flight.
 *
 * @typedef {object} Flight
 * @property {(input: any, stop?: () => void) => unknown} land The parsed body arrives. Calls `stop` when the state is
 *   committed; resolves when the fetch does.
 */

/**
 * What a row needs of who takes part in it. A contender answers for those that it cannot meet.
 *
 * payload: takes a nested response apart, or keeps it. state: writes into a state that has something. push: adds to a
 * list that is known. denormalize: makes a view and remembers nothing. views: a store that is read by the names of
 * endpoints. first: makes views, and can forget them. again: the same view while nothing has changed. keepsRows: the
 * other rows of a list stay the same objects. shared: one entity that is seen through many. controller: endpoints that
 * are asked by their arguments. order: late responses and pending calls are put in order. table: an answer for one entity reaches the list. 100k, views of 100k: ends
 * within seconds there.
 *
 * @typedef {'payload' | 'state' | 'push' | 'denormalize' | 'views' | 'first' | 'again' | 'keepsRows' | 'shared' | 'controller' | 'order' | 'table' | '100k' | 'views of 100k'} Need
 */

/**
 * What a suite may ask of a library. State and results are the library's own affair.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {string[]} packages Whose versions stand in the results.
 * @property {any} empty The state with nothing in it. One that is written in place is made anew at every look.
 * @property {boolean} [mutates] A write changes the state that it is given: there is no old state to look at afterwards.
 * @property {Record<string, any>} schemas What it cannot express is missing.
 * @property {Partial<Record<Need, string>>} [blanks] What it cannot do, and why: a sentence for the reader of a row.
 * @property {(schema: any, input: any) => any} [sends] The form of `input` that a server of its kind sends; made before
 *   the time begins.
 * @property {(schema: any, input: any, state: any, args?: any[]) => { result: any, state: any, patches?: any[] }} write
 *   Normalizes and applies.
 * @property {() => Views} [views]
 * @property {() => Controlled} [controller]
 * @property {() => Live} [live]
 * @property {(schema: any, result: any, state: any, args?: any[]) => any} view Denormalizes, nothing remembered.
 */

/** The first release, built from its commit. Takes part with `--old`, and in every cold start. */
export const OLD = '0.1.0'

export const NAMES = /** @type {const} */ ([
  'patchcord',
  'data-client',
  'normalizr',
  'apollo',
  'graphcache',
  'normy',
  'rtk',
  'query-core',
  'tanstack-db',
  'map',
  'spread',
])

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
