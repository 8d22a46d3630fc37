import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileStorage } from '../../support/fileStorage.ts'
import { keyedServer, type KeyedServer } from '../../support/keyedServer.ts'
import { pause } from '../persist/todos.ts'
import { serve, type Server } from '../rest/server.ts'
import { answerAs } from './answerAs.ts'

const test = suite('outbox: killed processes')
const folder = mkdtempSync(join(tmpdir(), 'outbox-'))
const program = fileURLToPath(new URL('./killed.js', import.meta.url))
let server: KeyedServer
let http: Server

test.before(async () => {
  http = await serve((request, response) => {
    // Slow enough to be killed while a call is at the server, or its answer on the way.
    void pause(5).then(() => answerAs(server, request, response, 5))
    return undefined
  })
})
test.after(async () => {
  await http.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the program; kills it so many milliseconds after it has made its calls. True when it came to its end. */
function run(file: string, makes: 'yes' | 'no', killAfter: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [file, http.url, makes], { execArgv: ['--conditions=browser'] })
    let isDone = false
    child.on('message', message => {
      if (message === 'made' && killAfter < Infinity) setTimeout(() => child.kill('SIGKILL'), killAfter)
      isDone ||= message === 'done'
    })
    child.on('error', reject)
    child.on('exit', () => resolve(isDone))
  })
}

test('a process that is killed at random times does every stored call once', async () => {
  let kills = 0
  for (const [round, killAfter] of [0, 3, 8, 14, 20, 27, 33, 40].entries()) {
    server = keyedServer()
    const file = join(folder, `${round}`)
    let isDone = await run(file, 'yes', killAfter)
    if (!isDone) {
      kills++
      isDone = await run(file, 'no', killAfter / 2)
    }
    if (!isDone) isDone = await run(file, 'no', Infinity)
    assert.ok(isDone)
    assert.equal(await fileStorage(file).read(), [])
    const whole = ['create three', 'update drei', 'update uno']
    // What was not stored when the process was killed was never promised; calls are stored in order.
    assert.equal(server.done, whole.slice(0, server.done.length), `killed after ${killAfter} ms`)
  }
  assert.ok(kills >= 4, `${kills} kills`)
})

test.run()
