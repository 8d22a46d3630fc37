import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findChromium, launch } from '../../browser/chromium.ts'
import { serve } from '../../browser/serve.ts'

/** Serves a folder that `fill` has filled, opens an empty page in Chromium, and does `work` with it. */
export async function onChromiumPage(fill: (folder: string) => Promise<void>, work: (page: Page, url: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'patchcord-bindings-'))
  await fill(folder)
  const server = await serve(folder)
  const browser = await launch(findChromium()!)
  try {
    await work(await browser.newPage(), server.url)
  } finally {
    await browser.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
}
