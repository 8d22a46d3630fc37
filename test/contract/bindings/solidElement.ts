import { createRenderEffect, type JSX } from 'solid-js'
import { insert } from 'solid-js/web'

/** What `compileSolid` makes elements with. */
export function element(tag: string, attributes: Record<string, unknown>, children: (() => JSX.Element)[]): HTMLElement {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2).toLowerCase(), value as EventListener)
    else createRenderEffect(() => made.toggleAttribute(name, Boolean((value as () => unknown)())))
  }
  if (children.length === 1) insert(made, children[0]!)
  else insert(made, children as unknown as JSX.Element)
  return made
}
