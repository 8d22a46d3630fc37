import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectRoot } from './sources.ts'

const copied = ['src', 'bindings', 'test', 'dist', 'package.json', 'README.md']

/** Does something with a copy of the project in which some files were written anew. */
export async function planted<T>(files: Readonly<Record<string, string>>, use: (root: string) => T | Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'patchcord-'))
  try {
    for (const name of copied) {
      if (existsSync(join(projectRoot, name))) cpSync(join(projectRoot, name), join(root, name), { recursive: true })
    }
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'junction')
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
