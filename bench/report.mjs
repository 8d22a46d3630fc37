// npm run bench:report [-- --no-open]: the newest result of each suite as one page.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { page } from './html/page.mjs'
import { FOLDER, newest } from './results.mjs'

const OPENERS = { darwin: 'open', win32: 'explorer.exe' }

/** What shows a file on this system, if there is something, and somebody who would see it. */
function opener({ CI, DISPLAY, PATH = '', WAYLAND_DISPLAY } = process.env) {
  const name = OPENERS[process.platform] ?? 'xdg-open'
  if (CI || (name === 'xdg-open' && !DISPLAY && !WAYLAND_DISPLAY)) return undefined
  return PATH.split(delimiter).map(folder => join(folder, name)).find(path => existsSync(path))
}

const results = newest()
if (results.size === 0) {
  console.error('There are no results yet. Run npm run bench first.')
  process.exit(2)
}
const file = join(FOLDER, 'report.html')
writeFileSync(file, page(results))
console.log(file)
const open = process.argv.includes('--no-open') ? undefined : opener()
if (open) spawn(open, [file], { detached: true, stdio: 'ignore' }).on('error', () => {}).unref()
