import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { environment, nodeFlags } from './production.mjs'

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url))

/**
 * A job in a new process. `next` is what it says next, and rejects with the reason when it has ended instead.
 *
 * @param {object} job
 * @param {{ asInstalled?: boolean, worker?: string }} [options]
 */
export function openWorker(job, { asInstalled = false, worker = WORKER } = {}) {
  const child = fork(worker, [JSON.stringify(job)], { execArgv: nodeFlags(asInstalled), env: environment(asInstalled) })
  const messages = []
  let failed
  let heard = () => {}
  child.on('message', (/** @type {any} */ message) => {
    if (message.failed) failed = message.failed
    else messages.push(message)
    heard()
  })
  /** @type {Promise<void>} */
  const ended = new Promise(done => {
    child.on('error', error => done(void (failed = error.message)))
    child.on('exit', (code, signal) => {
      if (code !== 0) failed ??= `The process that measures ended with ${signal ?? code}.`
      done()
    })
  })
  return {
    send: message => void child.send(message),
    async next() {
      while (messages.length === 0) {
        const isOver = await Promise.race([new Promise(done => (heard = () => done(false))), ended.then(() => messages.length === 0)])
        if (isOver) throw new Error(failed ?? 'The process that measures has nothing more to say.')
      }
      return messages.shift()
    },
    async close() {
      if (child.connected) child.disconnect()
      await ended
    },
    ended: ended.then(() => failed),
  }
}

/** Does one job in a new process, and rejects with what that says when it fails. */
export async function inWorker(job, hear, options) {
  const worker = openWorker(job, options)
  for (;;) {
    let message
    try {
      message = await worker.next()
    } catch (error) {
      if (await worker.ended) throw error
      return
    }
    hear(message)
  }
}
