// npm start: builds the demo, serves it, and says where.
import { buildPages, frameworks } from './build.mjs'
import { listen, wantedPort } from './listen.mjs'
import { createDemoServer } from './server/serve.mjs'

async function main() {
  const port = wantedPort()
  const server = createDemoServer(await buildPages())
  const address = `http://127.0.0.1:${await listen(server, port)}`
  console.log(`\nThe same issue tracker, twice:\n${frameworks.map(name => `  ${name.padEnd(7)} ${address}/${name}/`).join('\n')}\n\nCtrl C ends it.`)
}

main().catch(error => {
  console.error(error instanceof RangeError ? error.message : error)
  process.exitCode = 1
})
