// npm run push:prove: two server processes, one Redis, three pages in Chromium, and everything that can go wrong.
//   node build/test/push/prove.js 120         seconds of chaos; 120 unless given
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prove } from './chaos.ts'
import { crowd } from './crowd.ts'
import { hasRedis } from './processes.ts'

const seconds = Number(process.argv[2] ?? 120)
if (!hasRedis()) {
  console.error('There is no redis-server. On Debian: apt-get install redis-server')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'patchcord-push-'))
try {
  const { faults } = await prove(folder, seconds * 1000, console.log)
  for (const fault of faults) console.error(`FAULT: ${fault}`)
  await crowd(folder, 1000, console.log)
  console.log(faults.length === 0 ? 'proved' : 'NOT PROVED')
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
