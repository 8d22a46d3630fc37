import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import type { Page } from 'playwright-core'
import { createClient } from 'redis'
import { rollup, type Plugin } from 'rollup'
import { findChromium, launch } from '../browser/chromium.ts'
import { projectRoot } from '../house/sources.ts'
import { Balancer } from './balancer.ts'
import { createRedis, createServerProcess, sleep, type Service } from './processes.ts'

/** How often a server says that it is there. */
const EVERY = 2000

interface Row {
  readonly id: string
  readonly version: number
  readonly title: string
}

interface Report {
  readonly notes: readonly { readonly id: string; readonly version: number | null; readonly at: number }[]
  readonly doubles: number
  readonly setbacks: number
  readonly errors: readonly string[]
  readonly status: string
}

interface Outcome {
  /** What should not have happened, a sentence each. */
  readonly faults: readonly string[]
}

/** Three pages change the same issues while servers, Redis and connections break; then all must show what Redis has. */
export async function prove(folder: string, duration: number, say: (line: string) => void): Promise<Outcome> {
  const base = 20_000 + (process.pid % 20_000)
  mkdirSync(join(folder, 'redis'))
  const redis = createRedis(base, join(folder, 'redis'))
  const servers = [createServerProcess(base + 1, base, EVERY), createServerProcess(base + 2, base, EVERY)]
  const balancer = new Balancer(servers.map(({ port }) => port), await pages())
  const browser = await launch(String(findChromium()))
  await redis.start()
  const client = await createClient({ url: `redis://127.0.0.1:${base}`, socket: { reconnectStrategy: 50 } }).on('error', () => {}).connect()
  try {
    await Promise.all(servers.map(server => server.start()))
    await balancer.start()
    const broken: string[] = []
    const users = await Promise.all(Array.from({ length: 3 }, async () => {
      const page = await browser.newPage()
      page.on('pageerror', error => void broken.push(error.stack ?? error.message))
      await page.goto(`http://127.0.0.1:${balancer.port}/`)
      return page
    }))
    const ending = new AbortController()
    let acts = 0
    let failures = 0
    const use = async (page: Page, user: number): Promise<void> => {
      for (let n = 0; !ending.signal.aborted; n++) {
        const done = await page.evaluate(name => (globalThis as unknown as { page: { act(name: string): Promise<boolean> } }).page.act(name), `user ${user}, change ${n}`)
        acts++
        if (!done) failures++
        await sleep(100 + Math.random() * 200)
      }
    }
    const using = users.map(use)
    const events = await misfortune({ redis, servers, balancer, duration })
    ending.abort()
    await Promise.all(using)
    const rows = async (page: Page): Promise<Row[]> => page.evaluate(() => (globalThis as unknown as { page: { visibleRows(): Row[] } }).page.visibleRows())
    const stored = async (): Promise<string> => JSON.stringify(Object.values(await client.hGetAll('issues')).map(text => JSON.parse(text) as Row).map(({ id, version, title }) => [id, version, title]).sort(byId))
    const visible = async (page: Page): Promise<string> => JSON.stringify((await rows(page)).map(({ id, version, title }) => [id, version, title] as const).sort(byId))
    const quietAt = Date.now()
    const faults: string[] = []
    for (const error of new Set(broken)) faults.push(`a page broke: ${error}`)
    for (const [user, page] of users.entries()) {
      while ((await visible(page)) !== (await stored()) && Date.now() < quietAt + 60_000) await sleep(50)
      if ((await visible(page)) !== (await stored())) faults.push(`page ${user} does not show what Redis has: ${await visible(page)} instead of ${await stored()}`)
    }
    const settled = Date.now() - quietAt
    const reports = await Promise.all(users.map(page => page.evaluate(() => (globalThis as unknown as { page: { report(): Report } }).page.report())))
    const history = ((await client.xRange('stream', '-', '+')) ?? []).map(({ id, message }) => ({ at: Number(id.split('-')[0]), message: JSON.parse(message['message']!) as { type: string; pk?: string; value?: Row } }))
    const waits: number[] = []
    for (const [user, { notes, doubles, setbacks, errors }] of reports.entries()) {
      if (doubles > 0) faults.push(`page ${user} has shown a row twice, ${doubles} times`)
      if (setbacks > 0) faults.push(`page ${user} has gone back to an older version, ${setbacks} times`)
      for (const error of new Set(errors)) faults.push(`page ${user} has reported: ${error}`)
      for (const { at, message } of history) {
        const id = message.value?.id ?? message.pk!
        const version = message.value?.version ?? Infinity
        // A version is shown when it, or a later one, is; a row that was created and deleted while nobody listened never was.
        const note = notes.find(each => each.id === id && each.at >= at - 100 && (each.version ?? Infinity) >= version)
        const before = notes.find(each => each.id === id && each.at < at && (each.version ?? Infinity) >= version)
        if (note && !before) waits.push(note.at - at)
      }
    }
    waits.sort((a, b) => a - b)
    const at = (share: number): string => `${Math.max(0, waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0)} ms`
    say(`${events.join('\n')}\n`)
    say(`${acts} changes by three pages in ${(duration / 1000).toFixed(0)} s, of which ${failures} failed; ${history.length} messages`)
    say(`all pages showed what Redis has ${settled} ms after the last change`)
    say(`from a change in Redis to the page: median ${at(0.5)}, 99 % ${at(0.99)}, longest staleness ${at(1)}`)
    if (history.length < duration / 1000) faults.push(`only ${history.length} messages: too few to prove anything`)
    return { faults }
  } finally {
    client.destroy()
    await browser.close()
    balancer.stop()
    await Promise.all([redis, ...servers].map(process => process.kill()))
  }
}

const byId = (a: readonly unknown[], b: readonly unknown[]): number => Number(a[0]) - Number(b[0])

/** Breaks something every second or two. Returns what it did. */
async function misfortune({ redis, servers, balancer, duration }: { redis: Service; servers: readonly Service[]; balancer: Balancer; duration: number }): Promise<string[]> {
  const started = Date.now()
  const events: string[] = []
  const note = (what: string): void => void events.push(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
  const repairs: Promise<unknown>[] = []
  const restart = async (service: Service, after: number): Promise<void> => {
    await service.kill()
    await sleep(after)
    await service.start()
  }
  const kinds = [
    () => {
      const server = pick(servers.filter(each => each.isUp))
      if (!server) return
      const pause = 500 + Math.random() * 2000
      note(`a server process is killed, and starts again after ${pause.toFixed(0)} ms`)
      repairs.push(restart(server, pause))
    },
    () => {
      if (!redis.isUp) return
      const pause = 200 + Math.random() * 1500
      note(`Redis is killed, and starts again after ${pause.toFixed(0)} ms`)
      repairs.push(restart(redis, pause))
    },
    () => note(`${balancer.cut(0.7)} connections are cut`),
    () => {
      const server = pick(servers.filter(each => each.isUp))
      if (!server) return
      note('a server process hangs for 6 seconds')
      repairs.push(server.freeze(6000))
    },
  ]
  for (let n = 0; Date.now() < started + duration; n++) {
    await sleep(Math.min(1000 + Math.random() * 2000, Math.max(0, started + duration - Date.now())))
    // Each kind at least once, then at random.
    ;(kinds[n] ?? pick(kinds))()
  }
  await Promise.all(repairs)
  return events
}

/** The page, as one script. */
async function pages(): Promise<Map<string, string>> {
  const config = (await import(pathToFileURL(join(projectRoot, 'rollup.config.mjs')).href)) as { vendored: Plugin }
  const bundle = await rollup({ input: join(projectRoot, 'build/test/push/page.js'), treeshake: { moduleSideEffects: true }, plugins: [config.vendored, nodeResolve({ browser: true, exportConditions: ['browser'] })], onwarn() {} })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return new Map([
    ['/', '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>issues</title><body><script type="module" src="/page.js"></script>'],
    ['/page.js', output[0].code],
  ])
}
