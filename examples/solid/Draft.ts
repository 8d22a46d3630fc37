import { createSignal, type JSX } from 'solid-js'
import html from 'solid-js/html'

interface DraftProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  /** Given for text of several lines; elsewhere Enter saves. */
  readonly rows?: number
  save(text: string): void
}

/** A text that is saved when the user leaves it, but by Escape. Until then it is the user's, whatever arrives meanwhile. */
export function Draft(props: DraftProps): JSX.Element {
  const [draft, setDraft] = createSignal<string>()
  const value = (): string => draft() ?? props.value
  const onInput = (event: Event): void => void setDraft((event.currentTarget as HTMLTextAreaElement).value)
  // Not onChange: there is no such event for a text that was typed and taken back, and it would stay a draft for ever.
  const onBlur = (): void => {
    const text = draft()
    if (text !== undefined && text !== props.value) props.save(text)
    setDraft(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setDraft(undefined)
    if (event.key === 'Enter' && !props.rows && !event.isComposing) (event.currentTarget as HTMLElement).blur()
  }
  return html`<textarea name=${props.name} aria-label=${props.label} rows=${props.rows ?? 1} value=${value} onInput=${onInput} onBlur=${onBlur} onKeyDown=${onKeyDown}></textarea>`
}
