// The doors of which several builds are made.
export * from '../../../src/history/index.ts'
export * from '../../../src/index.ts'
