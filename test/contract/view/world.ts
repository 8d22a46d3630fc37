import type { AnyEndpoint } from '../../../src/index.ts'
import { ViewClient } from './client.ts'

/** A client whose views are read as frozen snapshots. */
export class World extends ViewClient {
  get<T = unknown>(schema: unknown, ...args: unknown[]): T {
    return this.controller.get(schema, ...args) as T
  }

  result<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): T {
    return this.controller.view(this.endpoint(schema, key) as AnyEndpoint, ...args).value as T
  }
}
