import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** `CHROMIUM_PATH`, or the first one on the PATH. */
export function findChromium({ CHROMIUM_PATH, PATH = '' } = process.env) {
  const paths = CHROMIUM_PATH ? [CHROMIUM_PATH] : PATH.split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)))
  return paths.find(path => existsSync(path))
}

export const launch = executablePath =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--js-flags=--expose-gc', '--enable-precise-memory-info',
    ],
  })
