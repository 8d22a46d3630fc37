import type { Test } from 'uvu'

/** What `run` throws. Fails when it throws nothing. */
export function caught(run: () => unknown): Error & { [field: string]: unknown } {
  try {
    run()
  } catch (error) {
    return error as Error & { [field: string]: unknown }
  }
  throw new Error('Expected an error, and there was none.')
}

/** What a promise rejects with. Fails when it does not. */
export async function rejected<E = Error & { [field: string]: unknown }>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise
  } catch (error) {
    return error as E
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
