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
  devtools(): void
}

/** For the page: which keys there are. */
export const keys: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl Z', 'undo'],
  ['Ctrl Shift Z', 'redo'],
  ['N', 'new issue'],
  ['Ctrl Enter', 'submit, save'],
  ['/', 'search'],
  ['J K', 'next, previous'],
  ['C', 'close or reopen'],
  ['P', 'network and keys'],
  ['D', 'devtools'],
  ['Esc', 'back'],
]

const plain: Record<string, keyof Commands> = { n: 'create', '/': 'search', j: 'next', k: 'previous', c: 'toggle', p: 'panel', d: 'devtools' }

/** Follows the keyboard; the returned function ends it. */
export function listenToKeys(commands: Commands): () => void {
  const listen = (event: KeyboardEvent): void => {
    const command = commandOf(event)
    if (command === undefined) return
    event.preventDefault()
    commands[command]()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

function commandOf({ key, ctrlKey, metaKey, shiftKey, altKey, isComposing, target }: KeyboardEvent): keyof Commands | undefined {
  const field = target instanceof Element ? target.closest<HTMLInputElement>('input:not([type=checkbox], [type=range]), textarea, select') : null
  if (field) {
    // In a field the keys are its own, undo included. Escape leaves it, Ctrl Enter submits its form or saves it by leaving.
    const isSubmit = key === 'Enter' && (ctrlKey || metaKey) && !isComposing
    if (isSubmit && field.form) field.form.requestSubmit()
    else if (isSubmit || key === 'Escape') field.blur()
    return undefined
  }
  if (altKey) return undefined
  if (key === 'Escape') return 'leave'
  const letter = key.toLowerCase()
  if (!ctrlKey && !metaKey) return plain[letter]
  if (letter === 'y') return 'redo'
  return letter === 'z' ? (shiftKey ? 'redo' : 'undo') : undefined
}
