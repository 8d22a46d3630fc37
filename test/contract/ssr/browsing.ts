import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import type { Page } from 'playwright-core'
import { rollup, type Plugin } from 'rollup'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../house/sources.ts'

/** Bundles compiled files into `folder`, each under its name, with the same Immer as in dist/. What `first` resolves comes before all else. */
export async function bundleScripts(entries: { readonly [name: string]: URL }, folder: string, exportConditions: string[], first: readonly Plugin[] = []): Promise<void> {
  const { vendored } = (await import(pathToFileURL(join(projectRoot, 'rollup.config.mjs')).href)) as { vendored: Plugin }
  const made = await rollup({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, fileURLToPath(file)])),
    treeshake: false,
    plugins: [...first, vendored, nodeResolve({ browser: true, exportConditions })],
    onwarn() {},
  })
  await made.write({ dir: folder, format: 'es' })
  await made.close()
}

export interface Visit {
  readonly page: Page
  /** The messages of the console and the errors of the page. There must be none at the end. */
  readonly messages: string[]
  /** Waits for it. */
  shows(text: string): Promise<void>
  /** Whether all elements of the server's are still on the page. */
  hasSameNodes(): Promise<boolean>
}

/**
 * Goes to a document that the server has rendered, and looks at it once its script has run. All visits share one page:
 * opening another costs a second of CPU time, and a document keeps nothing of the one before.
 */
export async function visit(page: Page, url: string, look: (visit: Visit) => Promise<void>): Promise<void> {
  // The last document ends here, and logs nothing later.
  await page.goto('about:blank')
  const messages: string[] = []
  page.on('console', message => void messages.push(message.text()))
  page.on('pageerror', error => void messages.push(String(error)))
  try {
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction('window.rename !== undefined')
    await look({
      page,
      messages,
      async shows(text) {
        await page
          .waitForFunction(wanted => document.getElementById('app')!.innerText.replace(/\s+/g, ' ').trim() === wanted, text, { timeout: 10_000, polling: 20 })
          .catch(async () => assert.is(await page.innerText('#app'), text))
      },
      hasSameNodes: () => page.evaluate('window.before.length > 0 && window.before.every(each => each.isConnected)'),
    })
    assert.equal(messages, [])
  } finally {
    page.removeAllListeners()
  }
}
