/** What a promise rejects with. Fails when it does not. */
export async function rejected(promise: Promise<unknown>): Promise<Error & { [field: string]: unknown }> {
  try {
    await promise
  } catch (error) {
    return error as Error & { [field: string]: unknown }
  }
  throw new Error('Expected a rejection, and there was none.')
}

/** A transport that answers from a function and remembers what it was asked. */
export function recorder(answer: (input: string, init: RequestInit) => Response | Promise<Response> = () => Response.json({})): {
  readonly calls: { input: string; init: RequestInit }[]
  readonly transport: (input: string, init?: RequestInit) => Promise<Response>
} {
  const calls: { input: string; init: RequestInit }[] = []
  return {
    calls,
    transport: async (input, init = {}) => {
      calls.push({ input, init })
      return answer(input, init)
    },
  }
}
