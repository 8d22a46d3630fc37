/**
 * A constant of the library that can be another in a copy of it. The library itself knows nothing of this: the copy is
 * loaded with the constant written over (`hooks.mjs`), so what nobody tunes costs nothing.
 *
 * @typedef {object} Knob
 * @property {string} about
 * @property {string} standard What the library has.
 * @property {string} values A range to begin with.
 * @property {string} [file] Below build/src; every file when left out.
 * @property {RegExp} find
 * @property {(value: string, found: string) => string} write The text that replaces the found text.
 * @property {(value: string) => string | undefined} fault Why a value cannot be.
 */

const count = value => (/^\d+$/.test(value) && Number(value) > 0 ? undefined : 'is not a whole number above 0')

/** @type {Record<string, Knob>} */
export const KNOBS = {
  pages: {
    about: 'rows in a page of the store, a power of two',
    standard: '64',
    values: '16,32,64,128',
    file: 'store/vector.js',
    // Shifts and masks are written out there: two levels, one level, the rest, and a level up.
    find: />> 12|>> 6|& 63|\* 64/g,
    write: (value, found) => {
      const size = Number(value)
      return { '>> 12': `>> ${2 * Math.log2(size)}`, '>> 6': `>> ${Math.log2(size)}`, '& 63': `& ${size - 1}`, '* 64': `* ${size}` }[found] ?? found
    },
    fault: value => count(value) ?? (Number.isInteger(Math.log2(Number(value))) && Number(value) > 1 && Number(value) <= 1024 ? undefined : 'is not a power of two from 2 to 1024'),
  },
  log: {
    about: 'changes that are remembered while an older read is under way',
    standard: '10000',
    values: '1000,10000,100000',
    file: 'order/Log.js',
    find: /const OPERATION_LIMIT = [\d_]+/,
    write: value => `const OPERATION_LIMIT = ${value}`,
    fault: count,
  },
  'gc-after': {
    about: 'milliseconds that data is retained after its last use (the option gc.after)',
    standard: '300000',
    values: '60000,300000,900000',
    file: 'controller/garbage.js',
    find: /after = [\d_]+/,
    write: value => `after = ${value}`,
    fault: count,
  },
  'gc-max': {
    about: 'entities beyond which what was used longest ago goes at once (the option gc.maxEntities)',
    standard: 'Infinity',
    values: '100,1000,Infinity',
    file: 'controller/garbage.js',
    find: /maxEntities = Infinity/,
    write: value => `maxEntities = ${value}`,
    fault: value => (value === 'Infinity' ? undefined : count(value)),
  },
  freeze: {
    about: 'whether what is stored and shown is frozen; off, it is copied again where it would be known as owned',
    standard: 'on',
    values: 'on,off',
    find: /Object\.freeze\(/g,
    write: value => (value === 'on' ? 'Object.freeze(' : '(value => value)('),
    fault: value => (value === 'on' || value === 'off' ? undefined : 'is neither on nor off'),
  },
}

/** @param {string} tag as it stands in the address of a module: `pages~16` */
export function knobOf(tag) {
  const [name, value] = tag.split('~')
  return { ...KNOBS[name], name, value }
}
