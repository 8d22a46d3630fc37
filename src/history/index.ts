export { createHistory, historyOf } from './createHistory.ts'
export type { GroupVerbs, History, Undone } from './createHistory.ts'
export type { Kept } from './inverse.ts'
