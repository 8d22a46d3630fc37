import { inspect } from 'node:util'
import ts from 'typescript-5.9'
import { entries } from '../../house/doors.ts'

const doors = (pathOf: (file: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries({ ...entries, prelude: 'test/contract/docs/prelude.ts' }).map(([door, file]) => [door, pathOf(file)]))

/** The doors as a program in a folder of build/docs imports them: for the compiler, and to run it. */
export const sources = doors(file => `../../../${file}`)
export const modules = doors(file => new URL(`../../../${file.replace('.ts', '.js')}`, import.meta.url).href)

/** The program without its types. */
export function transpile(program: string, { fileName = 'program.ts', verbatimModuleSyntax = false } = {}): string {
  const { ES2022: target } = ts.ScriptTarget
  const compilerOptions = { target, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX, jsxImportSource: 'preact', verbatimModuleSyntax }
  return ts.transpileModule(program, { compilerOptions, fileName }).outputText
}

/** What is printed while `run` runs, a line each. */
export async function printed(run: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = []
  const { log } = console
  console.log = (...words: unknown[]) => void lines.push(words.map(word => (typeof word === 'string' ? word : inspect(word))).join(' '))
  try {
    await run()
  } finally {
    console.log = log
  }
  return lines
}
