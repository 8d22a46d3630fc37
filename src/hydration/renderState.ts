import type { Dehydrated } from './transfer.ts'

/**
 * A script element that holds the state and does nothing, to be put into the page that a server sends.
 *
 * @example
 * response.end(`<div id="app">${html}</div>${renderState(dehydrate(controller), { nonce })}`)
 */
export function renderState(data: Dehydrated, { id = 'patchcord', nonce }: { readonly id?: string; readonly nonce?: string } = {}): string {
  // Without "<" nothing in it can end the element or open another; the separators end lines in older scripts.
  const json = JSON.stringify(data).replace(/[<\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `<script type="application/json" id="${attribute(id)}"${nonce === undefined ? '' : ` nonce="${attribute(nonce)}"`}>${json}</script>`
}

function attribute(text: string): string {
  return text.replace(/[&"'<>]/g, char => `&#${char.charCodeAt(0)};`)
}
