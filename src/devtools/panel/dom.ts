type Child = Node | string | number | undefined | false | null
/** Attributes; functions are listeners, `style` is text. Undefined and false are left out. */
type Attributes = { readonly [name: string]: string | number | boolean | undefined | ((event: never) => void) }

/** An element: `h('span.about', 'text')`, or `h('button', { title, click }, 'text')` with attributes and listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K | `${K}.${string}`, ...parts: (Child | Attributes)[]): HTMLElementTagNameMap[K] {
  const [name, ...classes] = tag.split('.')
  const element = document.createElement(name!) as HTMLElementTagNameMap[K]
  element.className = classes.join(' ')
  const [attributes] = parts
  if (isAttributes(attributes)) {
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === 'function') element.addEventListener(key, value as (event: Event) => void)
      // Through the object model: a content security policy may forbid style attributes.
      else if (key === 'style') element.style.cssText = `${value as string}`
      else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : `${value}`)
    }
  }
  fill(element, ...parts.filter((part): part is Child => !isAttributes(part)))
  return element
}

function isAttributes(part: Child | Attributes): part is Attributes {
  return typeof part === 'object' && part !== null && !(part instanceof Node)
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(child => child || child === 0).map(child => (child instanceof Node ? child : `${child}`)))
}

const ICONS: Readonly<Record<string, string>> = {
  cord: 'M3 2v5a5 5 0 0 0 10 0V2M8 12v3',
  bottom: 'M2 3h12v10H2zM2 9h12',
  right: 'M2 3h12v10H2zM9 3v10',
  close: 'm4 4 8 8M12 4l-8 8',
  save: 'M8 2v8M5 7l3 3 3-3M3 13h10',
  load: 'M8 10V2M5 5l3-3 3 3M3 13h10',
  previous: 'M11 3 6 8l5 5z',
  next: 'M5 3l5 5-5 5z',
  play: 'M4 2l9 6-9 6z',
  pause: 'M5 3v10M11 3v10',
  clear: 'M8 2a6 6 0 1 0 .01 0M4 12l8-8',
}

/** A button that shows an icon; `label` is what it does. */
export function iconButton(icon: string, label: string, click: () => void, kind = 'icon'): HTMLButtonElement {
  const made = h(`button.${kind}`, { title: label, 'aria-label': label, click })
  setIcon(made, icon)
  return made
}

/** Leads from the details back to the list, where there is room for one of them only. */
export function backButton(click: () => void): HTMLElement {
  return iconButton('previous', 'Back to the list', click, 'icon.return')
}

export function setIcon(button: Element, icon: string): void {
  const make = (name: string): Element => document.createElementNS('http://www.w3.org/2000/svg', name)
  const svg = make('svg')
  const path = make('path')
  svg.setAttribute('viewBox', '0 0 16 16')
  path.setAttribute('d', ICONS[icon]!)
  svg.append(path)
  fill(button, svg)
}

export function button(text: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button.button', { click, ...attributes }, text)
}

/** A field to search in. */
export function searchField(label: string, input: () => void): HTMLInputElement {
  return h('input', { type: 'search', placeholder: label, 'aria-label': label, input })
}

/** Says that there is nothing, and why. */
export function note(text: string): HTMLElement {
  return h('p.empty', text)
}

/** Names and values; those without a value are left out. */
export function facts(entries: readonly (readonly [name: string, value: string | undefined])[]): HTMLElement {
  return h('dl', ...entries.flatMap(([name, value]) => (value ? [h('dt', name), h('dd', value)] : [])))
}
