import type { Commit, Patch } from 'patchcord'
import type { Issue, Person } from './resources.ts'

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })

export const dayOf = (date: Date): string => day.format(date)
export const timeOf = (date: Date): string => time.format(date)

export const numberOf = (count: number): string => count.toLocaleString('en')

export const plural = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`

/** The number of an issue, once the server has given it one. */
export const nameOf = ({ id, isSaved }: Issue, isOffline: boolean): string => (isSaved ? `#${id}` : isOffline ? 'Not sent yet' : 'Saving…')

/** Two letters for a face. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map(word => word[0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

/** What the outbox has to say; nothing when all is sent. */
export const outboxOf = (isOffline: boolean, waiting: number): string =>
  isOffline ? `You work offline. ${waiting === 0 ? 'What you change is sent later.' : `${plural(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} to be sent.`}` : waiting > 0 ? `Sending ${plural(waiting, 'change')}…` : ''

/** Who can have an issue, for a list of choices. */
export const assignees = (people: readonly Person[] = []): (readonly [id: string, name: string])[] => [['', 'Nobody'], ...people.map(({ id, name }) => [id, name] as const)]

/** Who or what made a commit. */
export const causeOf = ({ cause, patches }: Commit): string => (cause === 'fetch' && patches.length === 0 ? 'Confirmed by the server' : (causes[cause] ?? cause))

const causes: Record<string, string> = { call: 'Yours, at once', fetch: 'From the server', fail: 'Taken back: the request failed', set: 'Local', undo: 'Undo', redo: 'Redo' }

/** Where a patch applies: the way to it, and its end. */
export const pathOf = ({ path }: Patch): readonly [way: string, end: string] => [path.slice(0, -1).map(part => `${part} / `).join(''), String(path.at(-1))]

export const valueOf = (patch: Patch): string => ('value' in patch ? JSON.stringify(patch.value) : '')
