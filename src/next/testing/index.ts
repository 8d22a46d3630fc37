export { createClock } from './createClock.ts'
export { mockFetch } from './mockFetch.ts'
export type { HandClock } from './createClock.ts'
export type { Fixture, MockAnswer, MockFetch, MockRequest, MockRoute, MockRoutes } from './mockFetch.ts'
