import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectRoot } from './sources.ts'

/** What somebody who has installed the package would have beside it. */
const installed = ['immer', '@preact/signals-core', '@preact/signals', 'solid-js', 'preact', 'csstype', 'seroval', 'seroval-plugins']

export interface Consumer {
  readonly folder: string
  /** The files of the tarball. */
  readonly packed: readonly string[]
  write(file: string, text: string): void
  /** Runs a script of a package of ours, or a file of the consumer; gives its output, also when it fails. */
  node(...args: string[]): { ok: boolean; output: string }
  remove(): void
}

/**
 * A project that has installed the packed tarball. Its other packages are links to ours, so that
 * this needs no network.
 */
export function createConsumer(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'patchcord-consumer-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'patchcord'), { recursive: true })
  // No scripts: `prepack` would build, and wipe what the other suites are reading.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: projectRoot, shell: process.platform === 'win32' })
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  execFileSync('tar', ['xzf', join(folder, String(tarball)), '-C', join(modules, 'patchcord'), '--strip-components=1'])
  for (const name of installed) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  return {
    folder,
    packed: readdirSync(join(modules, 'patchcord'), { recursive: true, encoding: 'utf8' }).sort(),
    write: (file, text) => writeFileSync(join(folder, file), text),
    node(...args) {
      try {
        return { ok: true, output: execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }) }
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        return { ok: false, output: stdout + stderr }
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
