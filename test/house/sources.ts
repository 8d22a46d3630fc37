import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'

/** The project's own folder; every check takes a root, so that a copy with a planted fault can be checked too. */
export const projectRoot: string = fileURLToPath(new URL('../../..', import.meta.url))

/** Files below a folder of the root whose name ends so, as paths from the root with slashes, sorted. */
export function filesBelow(root: string, folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith(ending))
    .sort()
}

/** The files of the library. `src/next` is not published yet, so no check of the package counts it. */
export function sourceFiles(root: string, withNext = false): string[] {
  return [...filesBelow(root, 'src', '.ts'), ...filesBelow(root, 'bindings', '.ts')].filter((file) => withNext || !file.startsWith('src/next/'))
}

export function readText(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The syntax tree of a file. TypeScript 7 has no compiler API, so this takes the one kept for consumers. */
export function parse(root: string, file: string): ts.SourceFile {
  return ts.createSourceFile(file, readText(root, file), ts.ScriptTarget.Latest, true)
}

/** Visits every node below a node, itself included. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  node.forEachChild((child) => visit(child, see))
}
