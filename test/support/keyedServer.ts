/** A server of todos that does a call with one `Idempotency-Key` once. */
export interface KeyedServer {
  readonly rows: Map<number, { id: number; title: string }>
  /** What was done, in order. */
  readonly done: string[]
  /** The keys that were sent, with how often. */
  readonly keys: Map<string, number>
  /** Answers a request; throws nothing. */
  readonly handle: (method: string, url: string, body: unknown, key: string | undefined) => { readonly status: number; readonly body: unknown }
}

export function keyedServer(): KeyedServer {
  const rows = new Map([[1, { id: 1, title: 'one' }], [2, { id: 2, title: 'two' }]])
  const done: string[] = []
  const keys = new Map<string, number>()
  const answers = new Map<string, { readonly status: number; readonly body: unknown }>()
  let last = 100
  const work = (method: string, url: string, body: { title?: string } | undefined): { status: number; body: unknown } => {
    const id = Number(url.split('/')[2])
    if (method === 'GET') return { status: 200, body: structuredClone([...rows.values()]) }
    if (method === 'POST') {
      if (body?.title === 'refused') return { status: 422, body: { title: 'is refused' } }
      const row = { id: ++last, title: body?.title ?? '' }
      rows.set(row.id, row)
      done.push(`create ${row.title}`)
      return { status: 201, body: { ...row } }
    }
    const row = rows.get(id)
    if (!row) return { status: 404, body: { error: 'unknown' } }
    if (method === 'DELETE') {
      rows.delete(id)
      done.push(`delete ${row.title}`)
      return { status: 200, body: { id } }
    }
    done.push(`update ${body?.title}`)
    row.title = body?.title ?? row.title
    return { status: 200, body: { ...row } }
  }
  return {
    rows,
    done,
    keys,
    handle(method, url, body, key) {
      if (key === undefined) return work(method, url, body as { title?: string } | undefined)
      keys.set(key, (keys.get(key) ?? 0) + 1)
      const answer = answers.get(key) ?? work(method, url, body as { title?: string } | undefined)
      answers.set(key, answer)
      return structuredClone(answer)
    },
  }
}
