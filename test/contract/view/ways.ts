import { signal } from '@preact/signals-core'
import type { Test } from 'uvu'
import { denormalize } from '../../../src/index.ts'
import { readResult } from '../../support/state.ts'
import { ViewClient } from './client.ts'
import { LiveStore } from './liveStore.ts'
import { World } from './world.ts'

/** Views made from nothing, by the pure function. Effects cannot follow them: they look again after every commit. */
class PureStore extends ViewClient {
  readonly #commits = signal(0)

  constructor() {
    super()
    this.subscribe(() => void (this.#commits.value = this.#commits.peek() + 1))
  }

  get<T = unknown>(schema: unknown, pk: unknown): T {
    void this.#commits.value
    return denormalize(schema, pk, this.state) as T
  }

  result<T = unknown>(schema: unknown, key: string, args: readonly unknown[] = []): T {
    void this.#commits.value
    return denormalize(schema, readResult(this.state, key), this.state, args) as T
  }
}

/** The ways to read a store. They show the same; which objects they show, and whom they wake, is their own. */
const clients = { 'pure function': PureStore, snapshots: World, 'live objects': LiveStore }
type Way = keyof typeof clients

type Check = (at: ViewClient, way: Way) => void

/** A test for each way to read. */
export function everyWay(test: Test, title: string, check: Check): void {
  for (const way of Object.keys(clients) as Way[]) test(`${title}: ${way}`, () => check(new clients[way](), way))
}

/** A test for each way that effects can follow. */
export function bothWays(test: Test, title: string, check: Check): void {
  for (const way of ['snapshots', 'live objects'] as const) test(`${title}: ${way}`, () => check(new clients[way](), way))
}
