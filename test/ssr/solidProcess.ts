import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServerProcess {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the application of `solidServer.ts` with the conditions of a server, whatever those of this process are. */
export async function startSolidServer(folder: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('solidServer.js', import.meta.url)), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
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
