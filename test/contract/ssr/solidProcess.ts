import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the application of `solidServer.ts`. */
export const startSolidServer = (folder: string): Promise<ServerProcess> => startServer(new URL('solidServer.js', import.meta.url), [folder])

/** Starts a program that prints its port, with the conditions of a server, whatever those of this process are. */
export async function startServer(program: URL, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' },
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${String(port).trim()}/`,
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
