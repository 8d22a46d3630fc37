import { For, type JSX } from 'solid-js'
import html from 'solid-js/html'

interface ChoiceProps {
  readonly label: string
  readonly name?: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  choose?(value: string): void
}

/** One of a few. */
export function Choice(props: ChoiceProps): JSX.Element {
  return html`
    <label class="field">
      <span>${props.label}</span>
      <select name=${props.name} onChange=${(event: Event) => props.choose?.((event.currentTarget as HTMLSelectElement).value)}>
        <${For} each=${() => props.options}>
          ${([value, label]: readonly [string, string]) => html`<option value=${value} selected=${() => props.value === value}>${label}</option>`}
        <//>
      </select>
    </label>
  `
}
