import { PatchcordError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'

/**
 * The answer of a route.
 *
 * @example
 * const slow: Fixture = { body: [], delay: 1000 }
 */
export interface Fixture {
  /** Sent as JSON; a string, `Blob`, `FormData` or buffer is sent as it is. */
  body?: unknown
  /** 200, or 204 where there is no body. */
  status?: number
  headers?: Record<string, string>
  /** Milliseconds until the answer, on the clock that `mockFetch` was given. */
  delay?: number
  /** Thrown instead of answering, as a network that is down would. */
  error?: Error
}

/**
 * One request as the mocked network saw it.
 *
 * @example
 * const isSignedIn = ({ headers }: MockRequest): boolean => headers.has('authorization')
 */
export interface MockRequest {
  readonly method: string
  /** As it was asked for: relative stays relative. */
  readonly url: string
  readonly headers: Headers
  /** Parsed when it was JSON, otherwise what was passed to `fetch`. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/**
 * A fixture, or a function that makes one of the request.
 *
 * @example
 * const echo: MockAnswer = ({ body }) => ({ body })
 */
export type MockAnswer = Fixture | ((request: MockRequest) => Fixture | Response | Promise<Fixture | Response>)

/**
 * One answer for all requests, or a list: one for each, and the last for all that follow.
 *
 * @example
 * const once: MockRoute = [{ status: 503 }, { body: [] }] // fails, and then works
 */
export type MockRoute = MockAnswer | readonly MockAnswer[]

/**
 * Keys are `METHOD path`, with the query string or without, or with the whole URL.
 *
 * @example
 * const routes: MockRoutes = { 'GET /todos': { body: [] }, 'DELETE /todos/1': { status: 204 } }
 */
export type MockRoutes = Record<string, MockRoute>

/**
 * `fetch`, and the requests it has seen, oldest first.
 *
 * @example
 * const fetch: MockFetch = mockFetch({ 'GET /todos': { body: [] } })
 * await fetch('/todos')
 * console.log(fetch.calls[0]?.url) // /todos
 */
export interface MockFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  readonly calls: readonly MockRequest[]
}

/**
 * A `fetch` that answers from a table. A request that the table does not name is an error that lists the routes.
 *
 * @example
 * const fetch = mockFetch({
 *   'GET /users/1': { body: { id: 1, name: 'Ada' } },
 *   'POST /users': (request) => ({ status: 201, body: { id: 2, ...(request.body as object) } }),
 *   'GET /news': [{ status: 503 }, { body: [] }],
 * })
 * const response = await fetch('/users/1')
 * console.log(await response.json(), fetch.calls.length) // { id: 1, name: 'Ada' } 1
 */
export function mockFetch(routes: MockRoutes, options: { clock?: Clock } = {}): MockFetch {
  const calls: MockRequest[] = []
  const turns = new Map<string, number>()
  const after = options.clock?.after ?? platformAfter

  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = await readRequest(input, init)
    calls.push(request)
    request.signal?.throwIfAborted()
    const key = findRoute(routes, request)
    const route = routes[key]!
    if (isList(route) && route.length === 0) throw new PatchcordError('MOCK_ROUTE', `The route '${key}' of mockFetch is a list without an answer. An empty list as JSON is { body: [] }.`)
    const answer = isList(route) ? route[nextTurn(key, route.length)]! : route
    const fixture = typeof answer === 'function' ? await untilAborted(Promise.resolve(answer(request)), request.signal) : answer
    if (fixture instanceof Response) return fixture
    if (fixture.delay !== undefined) await wait(fixture.delay, after, request.signal)
    if (fixture.error !== undefined) throw fixture.error
    return toResponse(fixture)
  }
  return Object.assign(answer, { calls })

  /** By key: routes may share one list, and each begins with its first answer. */
  function nextTurn(key: string, length: number): number {
    const turn = turns.get(key) ?? 0
    turns.set(key, Math.min(turn + 1, length - 1))
    return turn
  }
}

/** Unlike the platform's own test, this one knows lists that are read-only. */
function isList(route: MockRoute): route is readonly MockAnswer[] {
  return Array.isArray(route)
}

async function readRequest(input: string | URL | Request, init: RequestInit = {}): Promise<MockRequest> {
  const from = input instanceof Request ? input : undefined
  const headers = new Headers(init.headers ?? from?.headers)
  const body: unknown = init.body ?? (from?.body ? await from.clone().text() : undefined)
  return {
    method: (init.method ?? from?.method ?? 'GET').toUpperCase(),
    url: from ? from.url : String(input),
    headers,
    body: typeof body === 'string' && headers.get('content-type')?.includes('json') ? JSON.parse(body) : body,
    signal: init.signal ?? from?.signal ?? undefined,
  }
}

function findRoute(routes: MockRoutes, { method, url }: MockRequest): string {
  // The base serves only to read relative addresses; it never shows.
  const { pathname, search } = new URL(url, 'http://mock.invalid')
  for (const address of [url, pathname + search, pathname]) {
    const key = `${method} ${address}`
    if (Object.hasOwn(routes, key)) return key
  }
  const known = Object.keys(routes).join(', ') || 'none'
  throw new PatchcordError('MOCK_ROUTE', `mockFetch has no route '${method} ${pathname}${search}'. Add it to the table; it has: ${known}.`)
}

function toResponse({ body, status, headers }: Fixture): Response {
  const plain = isPlain(body)
  const init: ResponseInit = { status: status ?? (body === undefined ? 204 : 200) }
  init.headers = plain && body !== undefined ? { 'content-type': 'application/json', ...headers } : { ...headers }
  // The platform refuses any body with these, an empty one too.
  if (init.status === 204 || init.status === 205 || init.status === 304) return new Response(null, init)
  return new Response(plain ? JSON.stringify(body) : (body as BodyInit), init)
}

function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return typeof body !== 'string'
  // Forms, files and streams have another tag. A buffer of Node's would be JSON too, and is bytes.
  return /^.object (Object|Array).$/.test(Object.prototype.toString.call(body)) || ('toJSON' in body && !ArrayBuffer.isView(body))
}

function wait(ms: number, after: Clock['after'], signal: AbortSignal | undefined): Promise<void> {
  let cancel = (): void => {}
  const due = new Promise<void>((resolve) => {
    cancel = after(ms, resolve)
  })
  return untilAborted(due, signal).finally(cancel)
}

/** Resolves as `promise` does, unless the signal aborts first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  // The route itself may have ended it.
  if (signal.aborted) stop()
  try {
    return await Promise.race([aborted, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Unlike the system clock this one keeps Node alive: somebody awaits the answer. */
const platformAfter: Clock['after'] = (ms, callback) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
