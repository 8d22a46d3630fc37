/** @import { Contender, Need } from '../contenders/index.mjs' */

/**
 * The entries of those who can, and for each of the others the reason why not.
 *
 * @template T
 * @param {Contender[]} contenders
 * @param {readonly Need[]} needs
 * @param {(contender: Contender) => T} entry
 * @param {import('../row.mjs').Way} [way]
 */
export function among(contenders, needs, entry, way) {
  /** @type {Record<string, T>} */
  const entries = {}
  /** @type {Record<string, string>} */
  const blanks = {}
  for (const contender of contenders) {
    const unmet = needs.find(need => contender.blanks?.[need])
    if (unmet) blanks[contender.name] = /** @type {string} */ (contender.blanks?.[unmet])
    else entries[way === 'pure' ? pureName(contender.name) : contender.name] = entry(contender)
  }
  return { entries, blanks }
}

/** What the pure functions of a contender go by, beside its controller. */
export const pureName = name => `${name}, pure`

/**
 * The same work by patchcord alone, an entry for each size.
 *
 * @param {Contender[]} contenders
 * @param {Record<string, number>} sizes
 * @param {(ours: Contender, size: number) => import('../measure.mjs').Entry} entry
 */
export function bySize(contenders, sizes, entry) {
  const ours = contenders.find(({ name }) => name === 'patchcord')
  return { entries: Object.fromEntries(ours ? Object.entries(sizes).map(([label, size]) => [label, entry(ours, size)]) : []) }
}

/** What a table of that size needs. */
export const atSize = (size, /** @type {Need[]} */ ...more) => (size >= 100_000 ? [/** @type {const} */ ('100k'), ...more] : [])

/**
 * What goes over the wire for `input`: a server of the contender's kind may say it in another way.
 *
 * @param {Contender} contender
 * @param {string} name of the schema
 */
export const sent = ({ schemas, sends }, name, input) => (sends ? sends(schemas[name] ?? name, input) : input)
