import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of a commit with its build/, made once and kept. Types are not checked: that commit has passed already.
 *
 * @param {string} commit
 */
export function releaseOf(commit) {
  const folder = join(root, 'node_modules/.cache', `patchcord-${commit}`)
  if (existsSync(folder)) return folder
  const making = `${folder}.${process.pid}`
  try {
    mkdirSync(making, { recursive: true })
    const archive = execFileSync('git', ['archive', commit, 'src', 'tsconfig.json', 'package.json'], { cwd: root, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
    execFileSync('tar', ['-x'], { cwd: making, input: archive })
    symlinkSync(join(root, 'node_modules'), join(making, 'node_modules'), 'junction')
    const off = ['--declaration', '--declarationMap', '--isolatedDeclarations'].flatMap(option => [option, 'false'])
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noCheck', '--declarationDir', 'null', ...off], { cwd: making, stdio: 'ignore' })
    renameSync(making, folder)
    return folder
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    throw new Error(`commit ${commit} could not be built`, { cause: error })
  }
}
