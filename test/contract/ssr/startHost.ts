import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of `host.ts`. */
export interface Host {
  readonly url: string
  load(query: string): Promise<string>
  /** Requests to the API since the last page, by who asked. */
  asked(): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a host with the conditions of a server, whatever those of this process are. */
export async function startHost(module: URL, folder = '.'): Promise<Host> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('host.js', import.meta.url)), module.href, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' },
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${String(port).trim()}/`
  return {
    url,
    load: async query => (await fetch(`${url}?${query}`)).text(),
    asked: async () => (await fetch(`${url}asked`)).json(),
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
