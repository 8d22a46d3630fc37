// Finds or makes the builds that are compared.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** Builds are retained per checkout: both builds and this program must resolve the same signals. */
const store = join(tmpdir(), 'patchcord-versus', createHash('sha256').update(root).digest('hex').slice(0, 12))

/** Removes folders that a stopped run has left behind. */
export function removeLeftovers() {
  if (!existsSync(store)) return
  for (const name of readdirSync(store)) {
    const folder = join(store, name)
    if (name.includes('-') && Date.now() - statSync(folder).mtimeMs > 3_600_000) rmSync(folder, { recursive: true, force: true })
  }
}

/** The path of `dist/index.js` of a commit. Built once per commit and stored in the temporary folder of the system. */
export function buildCommit(commit, say) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  let hash
  try {
    hash = git('rev-parse', '--verify', `${commit}^{commit}`)
  } catch {
    throw new Error(`There is no commit "${commit}" in this repository.`)
  }
  const cached = join(store, hash)
  const path = join(cached, 'dist', 'index.js')
  if (existsSync(path)) {
    say(`The build of ${hash.slice(0, 7)} is in the temporary folder already.`)
    return path
  }
  say(`Building ${hash.slice(0, 7)} …`)
  mkdirSync(store, { recursive: true })
  const folder = mkdtempSync(join(store, 'work-'))
  try {
    const archive = join(folder, 'source.tar')
    git('archive', '--format=tar', `--output=${archive}`, hash)
    execFileSync('tar', ['-xf', archive, '-C', folder])
    // Installing takes longer than everything else; the lock file has changed little.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    execFileSync(process.execPath, ['.ci/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, BUILT: '' } })
    // Only what is loaded stays. Renamed at the end, so that a build that was stopped is not taken for a whole one.
    const ready = mkdtempSync(join(store, 'ready-'))
    cpSync(join(folder, 'dist'), join(ready, 'dist'), { recursive: true, filter: isCode })
    linkPackages(ready)
    if (!existsSync(cached)) renameSync(ready, cached)
    else rmSync(ready, { recursive: true, force: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return path
}

const isCode = source => !source.endsWith('.map') && basename(source) !== 'types'

function linkPackages(folder) {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}

/** The path of what was compiled from the sources of this checkout. */
export function ownBuild() {
  return join(root, 'build/src/index.js')
}

/** A copy of the build at `path` with a fault in it, and a function that removes the copy. Undefined when the fault does not fit. */
export function plantFault(path, { in: file, text, instead }) {
  const home = dirname(path)
  const name = join(home, file)
  const parts = existsSync(name) ? readFileSync(name, 'utf8').split(text) : []
  if (parts.length !== 2) return undefined
  mkdirSync(store, { recursive: true })
  const folder = mkdtempSync(join(store, 'fault-'))
  cpSync(home, join(folder, 'src'), { recursive: true, filter: isCode })
  linkPackages(folder)
  writeFileSync(join(folder, 'src', file), parts.join(instead))
  return { path: join(folder, 'src', basename(path)), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
