import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from './sources.ts'

const strict = [
  '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --skipLibCheck',
  '--allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable,esnext.disposable --module nodenext',
].join(' ')

/** What the compiler says of files under strict settings. */
export function compile(files: readonly string[], more = ''): string {
  const flags = `${strict} ${more}`.trim().split(' ')
  const options = { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } } as const
  return spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags, ...files], options).stdout
}

/** Writes a file below build/, and gives its path. */
export function written(name: string, text: string): string {
  const file = join(projectRoot, 'build', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
