/** What can be done by keyboard. */
export interface Commands {
  undo(): void
  redo(): void
  create(): void
  search(): void
  next(): void
  previous(): void
  /** Closes the issue that has the focus in the list, or the open one; or opens it again. */
  toggle(): void
  leave(): void
  panel(): void
}

/** For the page: which keys there are. */
export const keys: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl Z', 'undo'],
  ['Ctrl Shift Z', 'redo'],
  ['N', 'new issue'],
  ['/', 'search'],
  ['J K', 'next, previous'],
  ['C', 'close or reopen'],
  ['P', 'patches'],
  ['Esc', 'back'],
]

const plain: Record<string, keyof Commands> = { n: 'create', '/': 'search', j: 'next', k: 'previous', c: 'toggle', p: 'panel' }

/** Follows the keyboard; the returned function ends it. */
export function listenToKeys(commands: Commands): () => void {
  const listen = (event: KeyboardEvent): void => {
    const command = commandOf(event)
    if (command === undefined) return
    event.preventDefault()
    commands[command]()
  }
  addEventListener('keydown', listen)
  addEventListener('focusin', remember)
  return () => {
    removeEventListener('keydown', listen)
    removeEventListener('focusin', remember)
  }
}

function commandOf({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): keyof Commands | undefined {
  const field = target instanceof Element ? target.closest<HTMLElement>('input:not([type=checkbox], [type=range]), textarea, select') : null
  if (field) {
    // In a field the keys are its own, undo included; Escape leaves it, and nothing else.
    if (key === 'Escape') field.blur()
    return undefined
  }
  if (altKey) return undefined
  if (key === 'Escape') return 'leave'
  const letter = key.toLowerCase()
  if (!ctrlKey && !metaKey) return plain[letter]
  if (letter === 'y') return 'redo'
  return letter === 'z' ? (shiftKey ? 'redo' : 'undo') : undefined
}

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.issues a[href]')]

/** The row that had the focus last: when it leaves the list, the next one stands in its place. */
let place = 0

function remember({ target }: FocusEvent): void {
  const row = (target as Element).closest('.issue')
  const at = row ? links().findIndex(link => row.contains(link)) : -1
  if (at >= 0) place = at
}

/** Moves the focus to the row after the one that has it, or before. */
export function moveFocus(by: 1 | -1): void {
  const rows = links()
  const at = rows.findIndex(row => row === document.activeElement)
  const next = at >= 0 ? at + by : by > 0 ? place : place - 1
  rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus()
}

/** The issue whose row has the focus. */
export const issueAtHand = (): string | undefined =>
  document.activeElement?.matches('.issues a') ? document.activeElement.closest<HTMLElement>('.issue')?.dataset['id'] : undefined
