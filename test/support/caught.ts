/** What `run` throws. Fails when it throws nothing. */
export function caught(run: () => unknown): Error & { [field: string]: unknown } {
  try {
    run()
  } catch (error) {
    return error as Error & { [field: string]: unknown }
  }
  throw new Error('Expected an error, and there was none.')
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
