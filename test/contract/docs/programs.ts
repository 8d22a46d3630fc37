import { projectRoot } from '../../house/sources.ts'
import { readDocs, type Documented } from './jsdoc.ts'
import * as prelude from './prelude.ts'

/** Every example of the JSDoc as a program: what it does not declare comes from the doors, the prelude and the frameworks. */
export interface Program {
  readonly door: string
  readonly name: string
  readonly code: string
  /** Whether it is (a part of) a component. */
  readonly isPage: boolean
  /** A name for a file of its own. */
  readonly file: string
}

export const docs: readonly Documented[] = readDocs(projectRoot)

export const programs: readonly Program[] = docs
  .flatMap(({ door, name, own, ofMembers }) => [...own, ...ofMembers].map(code => ({ door, name, code, isPage: /^patchcord\/(solid|preact)/.test(door) })))
  // By number too: there are names that differ in case alone, and file systems that do not tell them apart.
  .map((program, n) => ({ ...program, file: `${n}-${program.name}` }))

/** Where the names of an example come from, by its door; the first that has a name gives it. */
const homes = (door: string): readonly (readonly [from: string, names: readonly string[]])[] => [
  ...[door, 'patchcord'].map(each => [each, docs.filter(doc => doc.door === each).map(doc => doc.name)] as const),
  ['prelude', Object.keys(prelude)],
  ['@preact/signals-core', ['batch', 'computed', 'effect', 'signal', 'untracked']],
  ...(door === 'patchcord/solid'
    ? [['solid-js', ['ErrorBoundary', 'For', 'Show', 'Suspense']] as const, ['solid-js/web', ['render']] as const]
    : [['preact', ['render']] as const, ['preact/compat', ['Suspense']] as const, ['@preact/signals', ['useComputed']] as const]),
]

/** Lines that import what `code` names, each name but those in `given`. */
export function importsOf({ door, code }: Program, files: Readonly<Record<string, string>>, given: readonly string[] = []): string {
  const wanted = new Set(['Controller', ...(code.match(/\b[A-Za-z]\w*\b/g) ?? [])])
  for (const name of given) wanted.delete(name)
  const lines = homes(door).map(([from, names]) => {
    const taken = [...new Set(names)].filter(name => wanted.delete(name))
    return taken.length > 0 ? `import { ${taken.join(', ')} } from '${files[from] ?? from}'` : ''
  })
  return lines.filter(Boolean).join('\n')
}
