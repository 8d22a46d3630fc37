import type { AnyEndpoint } from '../../../src/index.ts'
import { ViewClient } from './client.ts'
import { Watch } from './watch.ts'

export { swept, Watch } from './watch.ts'

/** A client whose views are read as frozen snapshots. */
export class World extends ViewClient {
  /** Takes a response in. */
  write(schema: unknown, input: unknown, args: readonly unknown[] = []): void {
    this.writeAll([[schema, input, args]])
  }

  get reported(): unknown[] {
    return this.errors
  }

  get<T = unknown>(schema: unknown, ...args: unknown[]): T {
    return this.controller.get(schema, ...args) as T
  }

  /** What is retained under an endpoint's key. */
  result<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): T {
    return this.controller.view(this.endpoint(schema, key) as AnyEndpoint, ...args).value as T
  }

  /** Watches a query. */
  watch<T = unknown>(schema: unknown, ...args: unknown[]): Watch<T> {
    return new Watch(() => this.get<T>(schema, ...args))
  }

  /** Watches the result of an endpoint. */
  watchResult<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): Watch<T> {
    return new Watch(() => this.result<T>(schema, key, args))
  }
}
