import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** A copy of the lock file of the last install: by its text, because a checkout gives files new dates. */
const INSTALLED = `${here}node_modules/.installed.json`
const LOCK = `${here}package-lock.json`

/** Installs the generator when it is missing or not the one of the lock file. The library's own `npm ci` stays small. */
export function ensureInstalled() {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCK, 'utf8')) return
  console.log('Installing the generator of the site into site/node_modules, about 160 MB …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=http'], { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('The generator of the site could not be installed. Run `npm ci --prefix site` to see why.')
  copyFileSync(LOCK, INSTALLED)
}
