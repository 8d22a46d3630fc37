import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Where a Chromium is: `CHROMIUM_PATH` alone when it is set, else on the PATH or in the usual folders. */
export function findChromium(env: Record<string, string | undefined> = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return existsSync(env['CHROMIUM_PATH']) ? env['CHROMIUM_PATH'] : undefined
  const onPath = (env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return [...onPath, ...usual].find((path) => existsSync(path))
}

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // The networking flags keep it from calling home, which a closed network would have to refuse again and again.
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--js-flags=--expose-gc',
    ],
  })
}
