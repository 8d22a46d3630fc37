// npm run push:prove: two server processes, one Redis, three pages in Chromium, and everything that can go wrong.
//   node build/test/push/prove.js 120         seconds of chaos; 120 unless given
import { prove } from './chaos.ts'
import { hasRedis } from './processes.ts'

if (!hasRedis()) {
  console.error('There is no redis-server. On Debian: apt-get install redis-server')
  process.exit(1)
}
const faults = await prove(Number(process.argv[2] ?? 120) * 1000, console.log)
for (const fault of faults) console.error(`FAULT: ${fault}`)
console.log(faults.length === 0 ? 'proved' : 'NOT PROVED')
process.exitCode = faults.length === 0 ? 0 : 1
