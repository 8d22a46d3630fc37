import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium } from '../browser/chromium.ts'
import { prove } from './chaos.ts'
import { hasRedis } from './processes.ts'

const test = suite('push: two servers, one Redis, three pages')

const canRun = hasRedis() && findChromium() !== undefined
if (!canRun) console.log('Not run: the stream on Redis, because there is no redis-server or no Chromium. Debian: apt-get install redis-server chromium')

;(canRun ? test : test.skip)('after some seconds of chaos all pages show what Redis has, no row twice', async () => {
  const lines: string[] = []
  assert.equal(await prove(10_000, line => void lines.push(line)), [], lines.join('\n'))
})

test.run()
