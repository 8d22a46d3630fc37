export { connectTabs } from './connectTabs.ts'
export type { Tabs, TabsOptions } from './connectTabs.ts'
export type { Channel } from './Channel.ts'
