import type { Test } from 'uvu'
import * as assert from 'uvu/assert'

/** The class of an error, and what its message says. */
type Expected = readonly [kind?: new (...args: never[]) => Error, ...says: (string | RegExp)[]]

function checked<E>(error: unknown, [kind, ...says]: Expected): E {
  if (kind) assert.instance(error, kind)
  for (const each of says) assert.match((error as Error).message, each)
  return error as E
}

/** What `run` throws. Fails when it throws nothing, or something else than is expected. */
export function caught(run: () => unknown, ...expected: Expected): Error & { [field: string]: unknown } {
  try {
    run()
  } catch (error) {
    return checked(error, expected)
  }
  throw new Error('Expected an error, and there was none.')
}

/** What a promise rejects with. Fails when it does not, or with something else than is expected. */
export async function rejected<E = Error & { [field: string]: unknown }>(promise: Promise<unknown>, ...expected: Expected): Promise<E> {
  try {
    await promise
  } catch (error) {
    return checked(error, expected)
  }
  throw new Error('Expected a rejection, and there was none.')
}

/** What `run` says to the developer. */
export function warnings(run: () => unknown): string[] {
  const messages: string[] = []
  const { warn } = console
  console.warn = (...words: unknown[]) => void messages.push(words.map(String).join(' '))
  try {
    run()
  } finally {
    console.warn = warn
  }
  return messages
}

/** The rejections that nobody handles while a suite runs. */
export function unhandledIn(test: Test): unknown[] {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  test.before(() => void process.on('unhandledRejection', note))
  test.after(() => void process.off('unhandledRejection', note))
  return unhandled
}
