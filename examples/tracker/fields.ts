/**
 * Writes texts into the fields of these names as if the user had typed them, and focuses the first. Waits a few frames:
 * the page with the fields may be about to open.
 */
export function fillIn(texts: Record<string, unknown>, frames = 60): void {
  const fields = Object.entries(texts).map(([name, text]) => [document.querySelector<HTMLTextAreaElement>(`.detail [name=${name}]`), String(text)] as const)
  if (fields.some(([field]) => field === null)) {
    if (frames > 0) requestAnimationFrame(() => fillIn(texts, frames - 1))
    return
  }
  for (const [field, text] of fields) {
    field!.value = text
    field!.dispatchEvent(new Event('input', { bubbles: true }))
  }
  fields[0]?.[0]?.focus()
}
