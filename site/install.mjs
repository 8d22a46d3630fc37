import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** npm writes this file at the end of an install: its age is the age of what is installed. */
const INSTALLED = `${here}node_modules/.package-lock.json`

/** Installs the generator when it is missing or older than its lock file. The library's own `npm ci` stays small. */
export function ensureInstalled() {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(`${here}package-lock.json`).mtimeMs) return
  console.log('Installing the generator of the site into site/node_modules, about 160 MB …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=http'], { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('The generator of the site could not be installed. Run `npm ci --prefix site` to see why.')
}
