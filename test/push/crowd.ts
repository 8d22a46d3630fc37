import { mkdirSync, readFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { join } from 'node:path'
import { createRedis, createServerProcess, sleep } from './processes.ts'

/** Opens many connections to one server process, and measures its memory and how long a change takes to reach all. */
export async function crowd(folder: string, size: number, say: (line: string) => void): Promise<void> {
  const base = 40_000 + (process.pid % 20_000)
  mkdirSync(join(folder, 'crowd'))
  const redis = createRedis(base, join(folder, 'crowd'))
  const server = createServerProcess(base + 1, base, 15_000)
  const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1000
  const post = (title: string): Promise<void> =>
    new Promise((resolve, reject) => {
      request({ port: base + 1, host: '127.0.0.1', path: '/issues', method: 'POST', agent: false }, response => void response.resume().on('end', resolve)).on('error', reject).end(JSON.stringify({ title }))
    })
  try {
    await redis.start()
    await server.start()
    // A stream that has never had a message cannot tell where its clients are: they would be reset.
    await post('the first')
    const before = memory()
    const arrived = new Map<string, number[]>()
    const closes = await Promise.all(Array.from({ length: size }, () => new Promise<() => void>((resolve, reject) => {
      const stream = get({ port: base + 1, host: '127.0.0.1', path: '/stream', agent: false }, response => {
        response.setEncoding('utf8').on('data', (text: string) => {
          resolve(() => stream.destroy())
          for (const [, title] of text.matchAll(/"title":"([^"]*)"/g)) arrived.set(title!, [...(arrived.get(title!) ?? []), performance.now()])
        })
        response.on('error', () => {})
      })
      stream.on('error', reject)
    })))
    const after = memory()
    const delays: number[] = []
    for (let n = 0; n < 50; n++) {
      const started = performance.now()
      const title = `change ${n}`
      await post(title)
      while ((arrived.get(title)?.length ?? 0) < size) await sleep(1)
      delays.push(...arrived.get(title)!.map(time => time - started))
    }
    delays.sort((a, b) => a - b)
    const at = (share: number): string => `${delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!.toFixed(0)} ms`
    say(`${size} connections to one process: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after, ${(((after - before) * 1000) / size).toFixed(0)} kB each`)
    say(`from a POST to a connection: median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`)
    for (const close of closes) close()
  } finally {
    await server.kill()
    await redis.kill()
  }
}
