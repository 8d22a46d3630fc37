import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'

/** The project's own folder. */
export const projectRoot: string = fileURLToPath(new URL('../../..', import.meta.url))

/** What a check looks at: a folder, or the project with some files written anew, so that a planted fault can be found. */
export type Tree = string | { readonly planted: Readonly<Record<string, string>> }

/** What a check says of the project in which some files were written anew. */
export const planted = <T>(files: Readonly<Record<string, string>>, check: (tree: Tree) => T): T => check({ planted: files })

/** Files below a folder of the tree whose name ends so, as paths from its root with slashes, sorted. */
export function filesBelow(tree: Tree, folder: string, ending: string): string[] {
  const [root, planted] = typeof tree === 'string' ? [tree, []] : [projectRoot, Object.keys(tree.planted)]
  const found = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : []
  const files = [...found.map((file) => `${folder}/${file.replaceAll('\\', '/')}`), ...planted.filter((file) => file.startsWith(`${folder}/`))]
  return [...new Set(files)].filter((file) => file.endsWith(ending)).sort()
}

/** The files of the library. */
export function sourceFiles(tree: Tree): string[] {
  return [...filesBelow(tree, 'src', '.ts'), ...filesBelow(tree, 'bindings', '.ts')]
}

export function readText(tree: Tree, file: string): string {
  return typeof tree === 'string' ? readFileSync(join(tree, file), 'utf8') : (tree.planted[file] ?? readFileSync(join(projectRoot, file), 'utf8'))
}

const parsed = new Map<string, ts.SourceFile>()

/** The syntax tree of a file, made once for each text. TypeScript 7 has no compiler API, so this takes the one that consumers are tested with. */
export function parse(tree: Tree, file: string): ts.SourceFile {
  const text = readText(tree, file)
  const key = `${file}\n${text}`
  const source = parsed.get(key) ?? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  parsed.set(key, source)
  return source
}

/** Visits every node below a node, itself included. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  node.forEachChild((child) => visit(child, see))
}
