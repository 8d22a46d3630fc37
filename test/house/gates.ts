import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from './sources.ts'

export interface Limits { contract?: number; ceiling?: number; aim?: number }

export interface Budgets {
  enforce: boolean
  rooms: Record<string, { lines: Limits; gzip?: Limits }>
  total: { lines: Limits }
  imports: Record<string, { from: Record<string, string[] | '*'>; onTopOf?: string; gzip: Limits }>
}

export interface Figures {
  rooms: Record<string, { files: number; lines: number; gzip: number }>
  imports?: Record<string, { gzip?: number; missing: string[] }>
}

/** The scripts of .ci and of the tests are plain modules: their types are stated here. */
const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(projectRoot, file)).href)) as T

export const totals: { readTotals(code: number, output: string): { passed: number; failed: number } } = await load('test/totals.mjs')

export const steps: { run(command: readonly string[], options?: { minutes?: number; quiet?: boolean }): Promise<{ code: number; output: string }> } = await load('.ci/steps.mjs')

export const lines: { countCodeLines(source: string): number } = await load('.ci/lines.mjs')

export const rooms: {
  roomsOf(root: string): Map<string, string[]>
  measureRooms(root: string): Promise<Figures['rooms']>
  measureImport(root: string, from: Record<string, readonly string[] | '*'>): Promise<{ gzip?: number; missing: string[]; code?: string }>
  measureImports(root: string, imports: Record<string, { from: Record<string, string[]>; onTopOf?: string }>): Promise<NonNullable<Figures['imports']>>
} = await load('.ci/rooms.mjs')

export const gates: {
  readBudgets(root?: string): Budgets
  gateFaults(figures: Figures, budgets: Budgets, onlyContract?: boolean): string[]
  lowered(budgets: Budgets, figures: Figures): Budgets
  budgetsText(budgets: Budgets): string
  withSizes(readme: string, figures: Figures, budgets: Budgets): string
} = await load('.ci/gates.mjs')

export const words: {
  readonly WORDS: readonly { readonly word: string; readonly plain: string; readonly in: 'text' | 'name' | 'whole name' | 'type' }[]
  wordFaults(file: string, text: string): string[]
  twiceDeclared(files: readonly (readonly [file: string, text: string])[]): string[]
} = await load('.ci/words.mjs')
