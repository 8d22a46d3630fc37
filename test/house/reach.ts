import { entries } from './doors.ts'
import { importsOf } from './imports.ts'
import { filesBelow, type Tree } from './sources.ts'

/** The public doors, as files. */
const doors: readonly string[] = Object.values(entries)

/** The few internals that laws may name. */
export const adapter = 'test/adapter.ts'

/** What each folder may import of the library, itself or through another test file. */
const rules: Readonly<Record<string, readonly string[]>> = {
  'test/contract': doors,
  'test/laws': [...doors, adapter],
  'test/hostile': [...doors, adapter],
  'test/faults': [...doors, adapter],
}

const isLibrary = (file: string): boolean => /^(src|bindings)\//.test(file)

/** Imports of the sorted suites that lead into the library by another way than they may, a sentence each. */
export function reachFaults(tree: Tree): string[] {
  const known = new Map<string, readonly string[]>()
  const targets = (file: string): readonly string[] => {
    const found = known.get(file) ?? importsOf(tree, file).flatMap((each) => each.file ?? []).filter((target) => /\.ts$/.test(target))
    known.set(file, found)
    return found
  }
  const faults = new Set<string>()
  for (const [folder, allowed] of Object.entries(rules)) {
    const met = new Set(filesBelow(tree, folder, '.ts'))
    for (const file of met) {
      for (const target of targets(file)) {
        if (allowed.includes(target)) continue
        if (isLibrary(target) || target === adapter) {
          faults.add(`${file} imports ${target}: what ${folder} runs may import only ${allowed === doors ? 'the public doors' : `the public doors and ${adapter}`}.`)
        } else if (target.startsWith('test/')) met.add(target)
      }
    }
  }
  return [...faults].sort()
}
