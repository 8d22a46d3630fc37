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
 * Resolves with its exit code and what it wrote; never rejects, and never later than `minutes` and some seconds.
 */
export function run([command, ...args], { env = {}, minutes = 6, quiet = false } = {}) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command === 'node' ? process.execPath : command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = (code) => {
      clearTimeout(deadline)
      clearTimeout(grace)
      // What the command has started may live on and hold them open; that must hold nobody else.
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve({ code, output })
    }
    let grace
    const endSoon = (code, remark = '') => {
      grace ??= setTimeout(() => {
        output += remark
        child.kill('SIGKILL')
        end(code)
      }, 5000)
    }
    // A test that leaves a server open would otherwise hold everything for ever. Asked to end, it also ends its browser.
    const deadline = setTimeout(() => {
      output += `\nStopped after ${minutes} minutes: something keeps the process alive.\n`
      child.kill('SIGTERM')
      endSoon(1)
    }, minutes * 60_000)
    for (const stream of ['stdout', 'stderr']) {
      child[stream].on('data', (chunk) => {
        output += chunk
        if (!quiet) process[stream].write(chunk)
      })
    }
    child.on('error', (error) => {
      output += `${error.message}\n`
      end(1)
    })
    child.on('exit', (code) => endSoon(code ?? 1, '\nA process that it started has not ended.\n'))
    child.on('close', (code) => end(code ?? 1))
  })
}
