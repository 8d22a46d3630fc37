import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** TypeScript by its path: the older one for consumers has a `tsc` too, and either may own the name in `.bin`. */
export const tsc = ['node', 'node_modules/typescript/bin/tsc']

const started = Date.now()
const clock = () => `${((Date.now() - started) / 1000).toFixed(1)} s`.padStart(8)

/** Says what is going on and how long it has taken so far. */
export function announce(text) {
  console.log(`${clock()}  ${text}`)
}

/**
 * Runs a command in the project's folder, showing its output as it comes.
 * Resolves with its exit code and what it wrote; never rejects.
 */
export function run([command, ...args], { env = {}, minutes = 10, quiet = false } = {}) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command === 'node' ? process.execPath : command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // A test that leaves a server open would otherwise hold everything for ever.
    const deadline = setTimeout(() => {
      output += `\nStopped after ${minutes} minutes: something keeps the process alive.\n`
      child.kill('SIGKILL')
    }, minutes * 60_000)
    for (const stream of ['stdout', 'stderr']) {
      child[stream].on('data', (chunk) => {
        output += chunk
        if (!quiet) process[stream].write(chunk)
      })
    }
    child.on('error', (error) => {
      clearTimeout(deadline)
      resolve({ code: 1, output: `${output}${error.message}\n` })
    })
    child.on('close', (code) => {
      clearTimeout(deadline)
      resolve({ code: code ?? 1, output })
    })
  })
}
