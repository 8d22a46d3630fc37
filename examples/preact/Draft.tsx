import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'

interface DraftProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  /** Given for text of several lines; elsewhere Enter saves. */
  readonly rows?: number
  save(text: string): void
}

/** A text that is saved when the user leaves it, but by Escape. Until then it is the user's, whatever arrives meanwhile. */
export function Draft({ label, name, value, rows, save }: DraftProps): JSX.Element {
  const draft = useSignal<string | undefined>(undefined)
  // Not onChange: where preact/compat is loaded, that is another word for onInput.
  const leave = (): void => {
    const text = draft.value
    draft.value = undefined
    if (text !== undefined && text !== value) save(text)
  }
  return (
    <textarea
      name={name}
      aria-label={label}
      rows={rows ?? 1}
      value={draft.value ?? value}
      onInput={event => void (draft.value = event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={({ key, isComposing, currentTarget }) => {
        if (key === 'Escape') draft.value = undefined
        if (key === 'Enter' && !rows && !isComposing) currentTarget.blur()
      }}
    />
  )
}
