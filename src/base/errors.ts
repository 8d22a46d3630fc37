/**
 * Every mistake has one class, one code and a sentence that says what to do.
 * The sentences are the same in development and production.
 */

/**
 * The ancestor of every error this library throws; `code` is stable across versions.
 *
 * @example
 * try { normalize(Todo, { title: 'no id' }) }
 * catch (error) { if (error instanceof PatchcordError) console.log(error.code) } // MISSING_PK
 */
export class PatchcordError extends Error {
  override readonly name: string
  declare readonly code: string

  /** A subclass is named by its code, as bundlers rename classes: `MISSING_PK` is a `MissingPkError`. */
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.name = new.target === PatchcordError ? 'PatchcordError' : `${code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`
  }
}

/**
 * A response that is not ok (`status` is set), or a transport that failed (`status` is undefined and `cause` says why).
 *
 * @example
 * try { await controller.fetch(TodoResource.get, { id: 404 }) }
 * catch (error) { if (error instanceof NetworkError) console.log(error.status, error.body) } // 404 { message: 'no such todo' }
 */
export class NetworkError extends PatchcordError {
  declare readonly status: number | undefined
  declare readonly response: Response | undefined
  /** The parsed JSON body of the failed response, when it had one. */
  declare readonly body: unknown
  /** The time, in milliseconds, from which the request may be sent again, where the server has sent how long to wait. */
  declare retryAt: number | undefined

  /** A response instead of a message is described by its status and URL. */
  constructor(message: string | Response, options: { status?: number; response?: Response; body?: unknown; cause?: unknown } = {}) {
    const response = typeof message === 'string' ? options.response : message
    super('NETWORK', typeof message === 'string' ? message : `${message.url} answered ${message.status} ${message.statusText}`.trim() + '.', options)
    this.status = options.status ?? response?.status
    this.response = response
    this.body = options.body
  }

  /** The fields that a log needs. */
  toJSON(): object {
    return { name: this.name, status: this.status, message: this.message, url: this.response?.url }
  }
}

/**
 * A response that could not be read as what its endpoint expects; `excerpt` holds its first 300 characters.
 *
 * @example
 * try { await controller.fetch(getUser, { id: 'login' }) }
 * catch (error) { if (error instanceof ParseError) console.log(error.excerpt) } // <!doctype html>
 */
export class ParseError extends PatchcordError {
  readonly status = 400
  declare readonly excerpt: string
  declare readonly response: Response | undefined

  constructor(message: string, excerpt: string, options: { response?: Response; cause?: unknown } = {}) {
    super('PARSE', message, options)
    this.excerpt = excerpt.slice(0, 300)
    this.response = options.response
  }
}

/**
 * A request whose headers and body did not arrive within its deadline.
 *
 * @example
 * const controller = new Controller({ timeout: 10, retry: false })
 * try { await controller.fetch(TodoResource.get, { id: 'slow' }) }
 * catch (error) { console.log(error instanceof TimeoutError) } // true
 */
export class TimeoutError extends PatchcordError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('TIMEOUT', message, options)
  }
}

/**
 * A request that somebody ended.
 *
 * @example
 * const list = controller.fetch(TodoResource.getList)
 * controller.abort(TodoResource.getList)
 * await list.catch(error => console.log(error instanceof AbortError)) // true
 */
export class AbortError extends PatchcordError {
  constructor(message = 'The request was aborted.', options?: { cause?: unknown }) {
    super('ABORT', message, options)
  }
}

/**
 * A request that was in flight when its store was reset.
 *
 * @example
 * const list = controller.fetch(TodoResource.getList)
 * controller.reset() // the user has logged out
 * await list.catch(error => console.log(error instanceof ResetError)) // true
 */
export class ResetError extends PatchcordError {
  constructor(message = 'The store was reset; the answer was dropped.') {
    super('RESET', message)
  }
}

/**
 * An entity whose primary key is missing or unusable.
 *
 * @example
 * try { normalize(Todo, { title: 'no id' }) }
 * catch (error) { if (error instanceof MissingPkError) console.log(error.key, error.value) } // Todo { title: 'no id' }
 */
export class MissingPkError extends PatchcordError {
  readonly status = 400
  /** The entity's key. */
  declare readonly key: string
  /** The value that has no usable pk, as `process` left it. */
  declare readonly value: unknown

  constructor(message: string, key: string, value: unknown) {
    super('MISSING_PK', message)
    this.key = key
    this.value = value
  }
}

/**
 * Data that an entity's `validate` objected to, or input of the wrong type at the top level.
 *
 * @example
 * try { normalize([Todo], 'no list') }
 * catch (error) { if (error instanceof ValidationError) console.log(error.value) } // no list
 */
export class ValidationError extends PatchcordError {
  readonly status = 400
  declare readonly value: unknown

  constructor(message: string, value?: unknown) {
    super('VALIDATION', message)
    this.value = value
  }
}

/**
 * A schema that cannot mean anything.
 *
 * @example
 * try { new schema.Invalidate(undefined as never) }
 * catch (error) { if (error instanceof SchemaError) console.log(error.code) } // SCHEMA
 */
export class SchemaError extends PatchcordError {
  constructor(message: string) {
    super('SCHEMA', message)
  }
}

/**
 * A URL that must not be built; `param` names the argument at fault.
 *
 * @example
 * try { await controller.fetch(TodoResource.get, { id: '..' }) }
 * catch (error) { if (error instanceof PathError) console.log(error.param) } // id
 */
export class PathError extends PatchcordError {
  declare readonly param: string | undefined

  constructor(message: string, param?: string) {
    super('PATH', message)
    this.param = param
  }
}

/**
 * A patch that cannot be applied; nothing of its set was.
 *
 * @example
 * try { applyPatches(emptyState, [{ op: 'replace', path: ['nowhere'], value: 1 }]) }
 * catch (error) { if (error instanceof PatchError) console.log(error.patch) } // { op: 'replace', path: [ 'nowhere' ], value: 1 }
 */
export class PatchError extends PatchcordError {
  declare readonly patch: unknown

  constructor(message: string, patch?: unknown) {
    super('PATCH', message)
    this.patch = patch
  }
}

/**
 * Data nested deeper than any walk may follow, or plain data that contains itself.
 *
 * @example
 * const loop: { self?: unknown } = {}
 * loop.self = loop
 * try { normalize(Todo, { id: 1, title: loop }) }
 * catch (error) { console.log(error instanceof DepthError) } // true
 */
export class DepthError extends PatchcordError {
  constructor(message: string) {
    super('DEPTH', message)
  }
}

/**
 * State from outside that cannot be taken in.
 *
 * @example
 * try { importState({ version: 99 }) }
 * catch (error) { console.log(error instanceof HydrationError) } // true
 */
export class HydrationError extends PatchcordError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('HYDRATION', message, options)
  }
}

/**
 * A hook used outside of its `DataProvider`.
 *
 * @example
 * const hint = (error: unknown): string => (error instanceof ProviderError ? 'Wrap the application in a DataProvider.' : String(error))
 */
export class ProviderError extends PatchcordError {
  constructor(message: string) {
    super('PROVIDER', message)
  }
}
