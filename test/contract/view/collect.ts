import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'

setFlagsFromString('--expose-gc')
export const gc: () => void = runInNewContext('gc')

export const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

const events: string[] = []
/** It lives as long as the process: one that dies while it waits for its turn ends all cleaning up of the engine (Node 20). */
const registry = new FinalizationRegistry<string>(name => events.push(name))

/**
 * A WeakRef keeps its target until the job is over. What is collected is cleaned up later, one registry in each turn of
 * the event loop: on a busy machine those of a test before may still stand in line. Ours comes last, and is waited for.
 */
export async function collect(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await turn()
    gc()
  }
  events.length = 0
  registry.register({}, 'last')
  for (const until = Date.now() + 30_000; events.length === 0 && Date.now() < until; ) {
    await turn()
    gc()
  }
  assert.equal(events, ['last'], 'the engine has not cleaned up within thirty seconds')
}
