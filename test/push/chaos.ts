import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createClient } from 'redis'
import { findChromium, launch } from '../browser/chromium.ts'
import { bundleScripts } from '../contract/ssr/browsing.ts'
import { Balancer } from './balancer.ts'
import type { IssuesPage, Row } from './page.ts'
import { createRedis, createServerProcess, findPorts, sleep, type Service } from './processes.ts'

declare global {
  interface Window {
    readonly issues: IssuesPage
  }
}

/** How often a server says that it is there. */
const EVERY = 2000

const html = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

/**
 * Three pages change the same issues while servers, Redis and connections break; then all must show what Redis has.
 * Returns what should not have happened, a sentence each.
 */
export async function prove(duration: number, say: (line: string) => void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'patchcord-push-'))
  const base = await findPorts(3)
  const redis = createRedis(base, folder)
  const servers = [createServerProcess(base + 1, base, EVERY), createServerProcess(base + 2, base, EVERY)]
  await bundleScripts({ page: new URL('page.js', import.meta.url) }, folder, ['browser'])
  const pages = new Map([['/', html], ['/page.js', readFileSync(join(folder, 'page.js'), 'utf8')]])
  const balancer = new Balancer(servers.map(({ port }) => port), pages)
  const browser = await launch(String(findChromium()))
  const client = createClient({ url: `redis://127.0.0.1:${base}`, socket: { reconnectStrategy: 50 } }).on('error', () => {})
  try {
    await redis.start()
    await client.connect()
    await Promise.all(servers.map(server => server.start()))
    await balancer.start()
    const faults: string[] = []
    const users = await Promise.all(Array.from({ length: 3 }, async () => {
      const page = await browser.newPage()
      page.on('pageerror', error => void faults.push(`a page broke: ${error.stack ?? error.message}`))
      await page.goto(`http://127.0.0.1:${balancer.port}/`)
      return page
    }))
    const ending = new AbortController()
    let [acts, failures] = [0, 0]
    const use = async (page: Page, user: number): Promise<void> => {
      for (let n = 0; !ending.signal.aborted; n++) {
        const isDone = await page.evaluate(name => window.issues.act(name), `user ${user}, change ${n}`)
        acts++
        if (!isDone) failures++
        await sleep(100 + Math.random() * 200)
      }
    }
    const using = users.map(use)
    const events = await misfortune({ redis, servers, balancer, duration })
    ending.abort()
    await Promise.all(using)

    const spell = (rows: readonly Row[]): string =>
      JSON.stringify(rows.map(({ id, version, title }) => [Number(id), version, title] as const).sort((a, b) => a[0] - b[0]))
    const stored = async (): Promise<string> => spell(Object.values(await client.hGetAll('issues')).map(text => JSON.parse(text) as Row))
    const visible = async (page: Page): Promise<string> => spell(await page.evaluate(() => window.issues.visibleRows()))
    const quietAt = Date.now()
    for (const [user, page] of users.entries()) {
      while ((await visible(page)) !== (await stored()) && Date.now() < quietAt + 60_000) await sleep(50)
      const [found, expected] = [await visible(page), await stored()]
      if (found !== expected) faults.push(`page ${user} does not show what Redis has: ${found} instead of ${expected}`)
    }
    say(`${events.join('\n')}\n`)
    say(`all pages showed what Redis has ${Date.now() - quietAt} ms after the last change`)
    const reports = await Promise.all(users.map(page => page.evaluate(() => window.issues.report())))
    for (const [user, { doubles, setbacks, errors }] of reports.entries()) {
      if (doubles > 0) faults.push(`page ${user} has shown a row twice, ${doubles} times`)
      if (setbacks > 0) faults.push(`page ${user} has gone back to an older version, ${setbacks} times`)
      for (const error of new Set(errors)) faults.push(`page ${user} has reported: ${error}`)
    }
    const messages = await client.xLen('stream')
    say(`${acts} changes by three pages in ${(duration / 1000).toFixed(0)} s, of which ${failures} failed; ${messages} messages`)
    if (messages < duration / 1000) faults.push(`only ${messages} messages: too few to prove anything`)
    return faults
  } finally {
    client.destroy()
    await browser.close()
    balancer.stop()
    await Promise.all([redis, ...servers].map(process => process.kill()))
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Parts {
  readonly redis: Service
  readonly servers: readonly Service[]
  readonly balancer: Balancer
  readonly duration: number
}

/** Breaks something every second or two. Returns what it did. */
async function misfortune({ redis, servers, balancer, duration }: Parts): Promise<string[]> {
  const started = Date.now()
  const events: string[] = []
  const note = (what: string): void => void events.push(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
  const repairs: Promise<unknown>[] = []
  const restart = async (service: Service | undefined, name: string, pause: number): Promise<void> => {
    if (!service?.isUp) return
    note(`${name} is killed, and starts again after ${pause.toFixed(0)} ms`)
    await service.kill()
    await sleep(pause)
    await service.start()
  }
  const pickServer = (): Service | undefined => pick(servers.filter(({ isUp }) => isUp))
  const kinds = [
    () => restart(pickServer(), 'a server process', 500 + Math.random() * 2000),
    () => restart(redis, 'Redis', 200 + Math.random() * 1500),
    () => note(`${balancer.cut(0.7)} connections are cut`),
    () => {
      note('a server process hangs for 6 seconds')
      return pickServer()?.freeze(6000)
    },
  ]
  for (let n = 0; Date.now() < started + duration; n++) {
    await sleep(Math.min(1000 + Math.random() * 2000, Math.max(0, started + duration - Date.now())))
    // Each kind at least once, then at random.
    repairs.push(Promise.resolve((kinds[n] ?? pick(kinds))()))
  }
  await Promise.all(repairs)
  return events
}
