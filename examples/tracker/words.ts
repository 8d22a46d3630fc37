import { NetworkError, TimeoutError, type Commit, type Patch } from 'patchcord'
import type { Person } from './resources.ts'

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })

export const dayOf = (date: Date): string => day.format(date)
export const timeOf = (date: Date): string => time.format(date)

export const numberOf = (count: number): string => count.toLocaleString('en')

export const plural = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`

/** Two letters for a face. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map(word => word[0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

/** Who can have an issue, for a list of choices. */
export const assignees = (people: readonly Person[] = []): (readonly [id: string, name: string])[] => [['', 'Nobody'], ...people.map(({ id, name }) => [id, name] as const)]

/** What to tell somebody who does not know HTTP. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'The server took too long.'
  if (!(error instanceof NetworkError)) return error instanceof Error ? error.message : String(error)
  if (error.status === undefined) return 'The server cannot be reached.'
  const { message } = (error.body ?? {}) as { message?: string }
  return message ?? `The server answered with ${error.status}.`
}

/** The same, where data is shown that may be old. */
export const troubleOf = (error: unknown, hasData: boolean): string => `${reasonOf(error)} ${hasData ? 'This is what was here before. ' : ''}Trying again…`

/** Who or what made a commit. */
export const causeOf = ({ cause, patches }: Commit): string => (cause === 'fetch' && patches.length === 0 ? 'Confirmed by the server' : (causes[cause] ?? cause))

const causes: Record<string, string> = { call: 'Yours, at once', fetch: 'From the server', fail: 'Taken back: the request failed', set: 'Local', undo: 'Undo', redo: 'Redo' }

/** Where a patch applies: the way to it, and its end. */
export const pathOf = ({ path }: Patch): readonly [way: string, end: string] => [path.slice(0, -1).map(part => `${part} / `).join(''), String(path.at(-1))]

export const valueOf = (patch: Patch): string => ('value' in patch ? JSON.stringify(patch.value) : '')
