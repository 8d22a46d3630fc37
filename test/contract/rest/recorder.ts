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
