import type { Issue, Person } from './resources.ts'

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

export const dayOf = (date: Date): string => day.format(date)

export const numberOf = (count: number): string => count.toLocaleString('en')

export const plural = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`

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
