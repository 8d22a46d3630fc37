import { computed, signal, type ReadonlySignal } from '@preact/signals-core'

export type Theme = 'light' | 'dark'

const media = matchMedia('(prefers-color-scheme: dark)')
const chosen = signal(localStorage.getItem('theme') as Theme | null)
const preferred = signal<Theme>(media.matches ? 'dark' : 'light')
media.addEventListener('change', () => (preferred.value = media.matches ? 'dark' : 'light'))

/** What the user chose here; until then what the system prefers. */
export const theme: ReadonlySignal<Theme> = computed(() => chosen.value ?? preferred.value)

theme.subscribe(value => (document.documentElement.dataset['theme'] = value))

export function turnTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', chosen.value)
}
