import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** npm writes this file at the end of an install: its age is the age of what is installed. */
const INSTALLED = `${here}node_modules/.package-lock.json`

/**
 * Installs the contenders when they are missing or older than the list of them. The library's own
 * `npm ci` stays light; who measures pays.
 */
export function ensureContenders() {
  const wanted = statSync(`${here}package.json`).mtimeMs
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= wanted) return
  process.stderr.write('Installing the contenders into bench/node_modules …\n')
  const { status } = spawnSync('npm', ['install', '--prefix', here, '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('The contenders could not be installed: try `npm install --prefix bench`.')
}
