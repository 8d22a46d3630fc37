import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '../house/sources.ts'

/** Whether this machine has a Redis to start. */
export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/** A process that can be killed and started again. */
export class Service {
  readonly port: number
  readonly #command: readonly [string, ...string[]]
  readonly #env: Record<string, string>
  #process: ChildProcess | undefined

  constructor(port: number, command: readonly [string, ...string[]], env: Record<string, string> = {}) {
    this.port = port
    this.#command = command
    this.#env = env
  }

  get pid(): number {
    return this.#process!.pid!
  }

  get isUp(): boolean {
    return this.#process !== undefined
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const [program, ...args] = this.#command
    const started = (this.#process = spawn(program, args, { env: { ...process.env, ...this.#env }, stdio: ['ignore', 'ignore', 'inherit'] }))
    for (const end = Date.now() + 60_000; this.#process === started && !(await isOpen(this.port)); ) {
      if (Date.now() > end || hasEnded(started)) throw new Error(`${program} did not start at port ${this.port}.`)
      await sleep(50)
    }
  }

  async kill(): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    if (!ending || hasEnded(ending)) return
    const ended = new Promise(resolve => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }

  /** Stops it for a while: its connections stay, and nobody answers. */
  async freeze(ms: number): Promise<void> {
    const frozen = this.#process
    frozen?.kill('SIGSTOP')
    await sleep(ms)
    frozen?.kill('SIGCONT')
  }
}

/** A Redis that has every write on disk before it answers. */
export const createRedis = (port: number, folder: string): Service =>
  new Service(port, ['redis-server', '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--logfile', join(folder, 'log')])

/** A server process of `examples/push`. */
export const createServerProcess = (port: number, redis: number, every: number): Service =>
  new Service(port, [process.execPath, join(projectRoot, 'examples/push/service.mjs')], { PORT: `${port}`, REDIS: `redis://127.0.0.1:${redis}`, EVERY: `${every}` })

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A port, and that many after it, that nobody listens at, below those that a system gives to whoever asks for any. */
export async function findPorts(count: number): Promise<number> {
  for (let first = 10_000 + (process.pid % 2000) * 3; ; first += count) {
    const open = await Promise.all(Array.from({ length: count }, (_, n) => isOpen(first + n)))
    if (!open.includes(true)) return first
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const isOpen = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
