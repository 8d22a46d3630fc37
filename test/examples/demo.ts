import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { findChromium, launch } from '../browser/chromium.ts'
import { projectRoot } from '../house/sources.ts'

type Pages = Map<string, { type: string; body: string }>

const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(projectRoot, 'examples', file)).href)) as T
const { buildPages, frameworks } = await load<{ buildPages(): Promise<Pages>; frameworks: readonly string[] }>('build.mjs')
const { createDemoServer } = await load<{ createDemoServer(pages: Pages): Server }>('server/serve.mjs')
const { listen } = await load<{ listen(server: Server, port: number): Promise<number> }>('listen.mjs')

/** Where a browser is; without one nothing of this can run. */
export const executable: string | undefined = findChromium()

interface NetworkSettings {
  latency?: number
  failure?: number
  reorder?: boolean
  hold?: boolean
  down?: boolean
}

/** Names the tab whose network the tests set: see examples/tracker/network.ts. */
const headers = { 'x-tab': 'test' }

/** An issue as the server has it. */
export interface Stored {
  id: number
  title: string
  body: string
  status: string
  priority: string
  assignee: { id: string; name: string } | null
}

/** One of the two applications as its user has it: a server of its own that can be stopped, and pages in a browser. */
export class Demo {
  readonly framework: string
  readonly #browser: Browser
  readonly #server: Server
  #port = 0
  #page: Page | undefined
  readonly #others: Page[] = []
  #visits = 0
  /** How many changes the server has been asked for and has not ended: delayed, at work, or being answered. */
  changing = 0
  /** What pages wrote to their consoles as errors, failed requests aside. */
  readonly faults: string[] = []

  constructor(framework: string, browser: Browser, pages: Pages) {
    this.framework = framework
    this.#browser = browser
    this.#server = createDemoServer(pages)
    this.#server.on('request', ({ method, url }, response) => {
      if (method === 'GET' || !url?.startsWith('/api/')) return
      this.changing++
      response.once('close', () => void this.changing--)
    })
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async listen(): Promise<void> {
    this.#port = await listen(this.#server, this.#port)
  }

  /** The server goes, and with it all connections. Its data stays for when it listens again. */
  async stop(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  /** Sets the network of the page that `open` gives. */
  async network(settings: NetworkSettings): Promise<void> {
    await fetch(`${this.address}/control`, { method: 'PUT', headers, body: JSON.stringify(settings) })
  }

  /** What the server has. */
  async stored(id: number): Promise<Stored | undefined> {
    const response = await fetch(`${this.address}/api/issues/${id}`, { headers })
    return response.ok ? ((await response.json()) as Stored) : undefined
  }

  /** A page of a server with fresh data, over a good network. What the last visit opened, routed and listened to is gone. */
  async open(hash: string): Promise<Page> {
    const page = (this.#page ??= await this.#newPage(headers['x-tab']))
    for (const other of this.#others.splice(0)) await other.close()
    await page.unrouteAll()
    page.removeAllListeners('request')
    if (!this.#server.listening) await this.listen()
    if (this.#visits > 0) await this.#forget(page)
    this.#visits++
    await fetch(`${this.address}/control/reset`, { method: 'POST', headers })
    await this.network({ latency: 20 })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    await this.show(page, hash)
    return page
  }

  /** The page of another visitor, in a browser of their own. */
  async openElsewhere(hash: string): Promise<Page> {
    return this.#beside(await this.#newPage(), hash)
  }

  /** A second tab of the same browser, beside `page`. */
  async openTab(page: Page, hash: string): Promise<Page> {
    return this.#beside(this.#watch(await page.context().newPage()), hash)
  }

  async #beside(page: Page, hash: string): Promise<Page> {
    this.#others.push(page)
    await this.show(page, hash)
    return page
  }

  /** Removes what the page has stored. It is left before: it would store again. */
  async #forget(page: Page): Promise<void> {
    await page.goto(`${this.address}/`)
    await page.evaluate(async () => {
      localStorage.clear()
      for (const { name } of await indexedDB.databases()) {
        await new Promise(resolve => {
          const request = indexedDB.deleteDatabase(name!)
          request.onsuccess = request.onerror = resolve
        })
      }
    })
  }

  async #newPage(tab?: string): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce' })
    const page = this.#watch(await context.newPage())
    if (tab) await page.addInitScript(`sessionStorage.setItem('tab', '${tab}')`)
    return page
  }

  #watch(page: Page): Page {
    page.setDefaultTimeout(60_000)
    page.on('pageerror', error => this.faults.push(String(error.stack)))
    page.on('console', message => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.faults.push(message.text())
    })
    return page
  }

  /** Goes there; within one visit without loading anything again. */
  async show(page: Page, hash: string): Promise<void> {
    await page.goto(`${this.address}/${this.framework}/?${this.#visits}${hash}`)
  }
}

/** Both applications, built and served: as many pairs as shall be used at the same time. */
export async function startDemos(pairs: number): Promise<{ demos: Demo[][]; close(): Promise<void> }> {
  // First what may fail: a browser that nobody closes would keep the process alive.
  const pages = await buildPages()
  const browser = await launch(executable!)
  const demos = Array.from({ length: pairs }, () => frameworks.map(framework => new Demo(framework, browser, pages)))
  await Promise.all(demos.flat().map(demo => demo.listen()))
  return {
    demos,
    async close() {
      await browser.close()
      await Promise.all(demos.flat().map(demo => demo.stop()))
    },
  }
}
