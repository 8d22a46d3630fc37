import type { Patch } from '../../store/immer.ts'
import { textOf } from '../names.ts'
import { h, note } from './dom.ts'
import { numberText } from './text.ts'

/** How many patches are shown. */
const MOST_PATCHES = 100

/** Patches, one in a line: what is done, where, and the value. */
export function patchTable(patches: readonly Patch[], empty: string): HTMLElement {
  if (patches.length === 0) return note(empty)
  const left = patches.length - MOST_PATCHES
  return h('ul.patches',
    ...patches.slice(0, MOST_PATCHES).map(({ op, path: [root, key, ...rest], value }) => {
      const row = root === 'entities' ? `${key} ${rest.shift() ?? ''}` : key
      return h('li', h('b.op', { 'data-op': op }, op), h('code', row, rest.length > 0 && h('em', `.${rest.join('.')}`)), op !== 'remove' && h('code', textOf(value, 400)))
    }),
    left > 0 && h('li', `and ${numberText(left)} more`))
}
