const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.issues a')]

/** What has the focus. */
let focused: HTMLElement | undefined
/** The row that had the focus last. When it leaves the list, the next one takes this index. */
let lastIndex = 0

/** Moves the focus to the row after the one that has it, or before. */
export function moveFocus(by: 1 | -1): void {
  const rows = links()
  const index = rows.findIndex(row => row === document.activeElement)
  const next = index >= 0 ? index + by : by > 0 ? lastIndex : lastIndex - 1
  rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus()
}

/** The issue whose row has the focus. */
export const focusedIssue = (): string | undefined =>
  document.activeElement?.closest('.issues') ? document.activeElement.closest<HTMLElement>('.issue')?.dataset['id'] : undefined

/** Whenever the element with the focus goes away, gives the focus to the element after it. The returned function ends it. */
export function keepFocus(): () => void {
  const onFocus = ({ target }: FocusEvent): void => {
    focused = target as HTMLElement
    const row = focused.closest('.issue')
    if (row) lastIndex = links().findIndex(link => row.contains(link))
  }
  const observer = new MutationObserver(records => {
    if (focused === undefined || document.activeElement !== document.body) return
    // Other changes take the focus from nobody: then the user has left the element. Moving a row removes it too.
    if (!records.some(({ removedNodes }) => [...removedNodes].some(node => node.contains(focused!)))) return
    const next = focused.isConnected ? focused : successorOf(focused)
    focused = undefined
    next?.focus()
  })
  addEventListener('focusin', onFocus)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}

/** In the list the same control of the row that follows; from elsewhere, where the user came from. */
function successorOf(gone: HTMLElement): HTMLElement | null | undefined {
  if (gone.closest('.panel')) return document.querySelector<HTMLElement>('.bar [aria-pressed]')
  const rows = links()
  const row = rows[Math.min(rows.length - 1, lastIndex)]
  if (row === undefined) return document.querySelector<HTMLElement>('.segments [aria-pressed=true]')
  return gone.matches('.check') ? row.parentElement?.querySelector<HTMLElement>('.check') : row
}
