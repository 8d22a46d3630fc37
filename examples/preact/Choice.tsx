import type { JSX } from 'preact'

interface ChoiceProps {
  readonly label: string
  readonly name?: string
  readonly value: string | undefined
  readonly options: readonly (readonly [value: string, label: string])[]
  choose?(value: string): void
}

/** One of a few. */
export function Choice({ label, name, value, options, choose }: ChoiceProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} onChange={event => choose?.(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
