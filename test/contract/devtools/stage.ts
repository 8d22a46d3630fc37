import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findChromium, launch } from '../../browser/chromium.ts'
import { serve } from '../rest/server.ts'
import { bundleScripts } from '../ssr/browsing.ts'

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tasks</title><link rel="icon" href="data:,">
<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:24px auto;max-width:720px;padding:0 16px}ul{list-style:none;padding:0}li{display:flex;gap:10px;padding:7px 0;border-bottom:1px solid #8883}li small{margin-left:auto;opacity:.7}</style>
<script type="module" src="/entry.js"></script>`

const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan']
const TITLES = ['Write the release notes', 'Answer the support mails', 'Review the invoice flow', 'Order new badges', 'Fix the login on phones', 'Draw the new empty state', 'Plan the next sprint', 'Measure the cold start', 'Sort the old issues', 'Call the printer', 'Update the price list', 'Check the backups']

export interface Stage {
  readonly browser: Browser
  readonly url: string
  /** How long the server takes for changes; infinite: until `answerAll`. */
  delay: number
  answerAll(): void
  open(query?: string, size?: { readonly width: number; readonly height: number }): Promise<Page>
  close(): Promise<void>
}

/** A server with tasks, and a browser; undefined without a Chromium. */
export async function createStage(): Promise<Stage | undefined> {
  const executable = findChromium()
  if (executable === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'patchcord-devtools-'))
  await bundleScripts({ entry: new URL('page.js', import.meta.url) }, folder, ['browser'])
  const tasks = TITLES.map((title, i) => ({ id: i + 1, title, done: i % 5 === 4, points: (i * 3) % 8, owner: { id: 1 + (i % 4), name: NAMES[i % 4]! } }))
  const waiting: (() => void)[] = []
  const server = await serve(({ method, url, body }, response) => {
    const [, root, , id] = url.split('?')[0]!.split('/')
    if (root === 'entry.js') return void readFile(join(folder, 'entry.js')).then(code => response.setHeader('content-type', 'text/javascript').end(code))
    if (root !== 'api') return void response.setHeader('content-type', 'text/html').end(html)
    const task = tasks.find(each => `${each.id}` === id)
    if (method !== 'PATCH') return task ?? tasks
    const answer = (): void => {
      if (task) Object.assign(task, JSON.parse(body))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(task))
    }
    if (stage.delay === Infinity) waiting.push(answer)
    else setTimeout(answer, stage.delay)
    return undefined
  })
  const browser = await launch(executable)
  const url = `${server.url}/`
  const stage: Stage = {
    browser,
    url,
    delay: 0,
    answerAll: () => waiting.splice(0).forEach(answer => answer()),
    async open(query = '', size = { width: 1280, height: 800 }) {
      const context = await browser.newContext({ viewport: size, acceptDownloads: true })
      const page = await context.newPage()
      await page.goto(`${url}${query}`)
      await page.locator('li').nth(11).waitFor()
      return page
    },
    async close() {
      await browser.close()
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
  return stage
}
