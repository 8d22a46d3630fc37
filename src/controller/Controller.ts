/// <reference lib="esnext.disposable" preserve="true" />
import { computed, untracked } from '@preact/signals-core'
import { systemClock } from '../base/clock.ts'
import { AbortError, ResetError } from '../base/errors.ts'
import { systemPlatform } from '../base/platform.ts'
import { reporter } from '../base/report.ts'
import type { AnyEndpoint, ViewOf } from '../endpoint/types.ts'
import type { Action } from '../managers/manager.ts'
import { createCollection } from '../managers/collection.ts'
import { createNetwork } from '../managers/network.ts'
import { createPolling } from '../managers/polling.ts'
import { answerOf, type Answer } from '../order/answer.ts'
import { createTimeline } from '../order/timeline.ts'
import { createStore } from '../store/store.ts'
import { denormalize } from '../view/denormalize.ts'
import { createViewGraph } from '../view/graph.ts'
import { signalTracker } from '../view/signalTracker.ts'
import { createLive, type Live } from './createLive.ts'
import { createCrew } from './crew.ts'
import { createFreshness, INVALID_STATUS } from './freshness.ts'
import type { ControllerOptions } from './options.ts'
import { isEndpoint, type Read } from './read.ts'
import { withThoseInUse, type Follower } from './follower.ts'
import { heapOf } from './heap.ts'
import { createHistory } from './history.ts'
import { hydrate, isState, trust } from './hydrate.ts'
import { quiet } from './quiet.ts'
import { readerOf } from './readerOf.ts'
import { createRequests } from './requests.ts'
import { createResponses, keyOf } from './responses.ts'
import { snapOf } from './snapOf.ts'
import { createStatusWatch } from './statusWatch.ts'
import { together } from './together.ts'
import type { Verbs } from './verbs.ts'

/**
 * The verbs of an application: fetch, read, write. Works alone, in Node and in the browser; every method can be
 * passed around detached.
 *
 * @example
 * const controller = new Controller()
 * await controller.fetch(TodoResource.getList)
 * effect(() => console.log(controller.get(Todo, { id: '1' })?.title))
 */
// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- what the constructor gives it is said once: a field for each would weigh every name twice more
export class Controller {
  constructor(options: ControllerOptions = {}) {
    const { clock = systemClock, platform = systemPlatform, initialState, managers = [] } = options
    const report = reporter(options.onError)
    const given = isState(initialState) ? initialState : undefined
    const store = createStore(given, report)
    const freshness = createFreshness()
    const followers = new Set<Follower>()
    const graph = createViewGraph(store, report, clock)
    const watch = createStatusWatch(freshness, signalTracker)
    const timeline = createTimeline(store, clock, state => snapOf(state, freshness), report)
    const { known } = timeline.names
    const { getResponse, getError, isFetching } = createResponses(graph, watch, store, known)
    timeline.onMove((key, from, to) => [...followers, recorder].forEach(each => each.move(key, from, to)))
    let live: Live | undefined
    let disposed = false

    const group: Verbs['together'] = work => together(work, followers, report)
    const offer = (action: Action): boolean => {
      if (disposed) throw new AbortError('The controller was disposed of.')
      return crew.offer(action)
    }
    const shown = ({ schema, value, args, key }: Answer, stored: unknown): unknown => {
      if (!schema) return value
      return key === undefined ? denormalize(schema, stored, store.state, args) : untracked(() => graph.result(schema, key, args))
    }
    const invalidate = (keys: readonly string[]): void => {
      keys.forEach(requests.part)
      group(() => freshness.invalidate(keys, timeline.now().fetchedAt))
    }
    /** The key of an endpoint, of which the managers are told what happens to it. */
    const told = (type: Extract<Action, { readonly key: string }>['type'], endpoint: AnyEndpoint, args: readonly unknown[], more?: object): string => {
      const key = keyOf(endpoint, args)
      offer({ type, endpoint, args, key, ...more } as Action)
      return key
    }
    /** The keys that pass, and who is told of it. */
    const passing = (type: 'invalidateAll' | 'expireAll', which: { testKey(key: string): boolean }): string[] => {
      const testKey = (key: string): boolean => which.testKey(key)
      offer({ type, testKey })
      return [...withThoseInUse(freshness.keys(), [watch, ...followers])].filter(testKey)
    }

    const requests = createRequests({
      timeline,
      freshness,
      clock,
      offer,
      together: group,
      shown,
      report,
      readerOf: target => readerOf(target, store.state, freshness),
      revalidates: options.revalidateOverlap !== false,
    })
    const { history, recorder } = createHistory(
      {
        told: timeline.told,
        send: (endpoint, args, watcher, id) => requests.start(endpoint, args, () => watcher, id),
        withdraw: handle => group(() => timeline.withdraw(handle, { cause: 'undo' })),
        write: (write, cause, note) =>
          group(() => {
            const before = store.state
            const handle = timeline.set(write, { cause })
            note({ handle, before, after: store.state })
          }),
        patch: patches => group(() => timeline.apply({ patches, stamps: [] }, { cause: 'undo' })),
      },
      options.history?.limit ?? 100,
    )

    const reset = (): void => {
      offer({ type: 'reset' })
      group(() => {
        requests.endAll(() => new ResetError())
        timeline.reset({ cause: 'reset' })
        freshness.clear()
        history.clear()
      })
    }

    const verbs: Verbs = {
      clock,
      platform,
      report,
      history,
      store,
      freshness,
      followers,
      known,
      together: group,
      place: timeline.now,
      fetch: (endpoint, ...args) => requests.start(endpoint, args, () => recorder.calls(endpoint, args)) as Promise<never>,
      fetchIfStale: (endpoint, ...args) =>
        quiet(
          untracked(async () => {
            const { data, expiryStatus, expiresAt } = getResponse(endpoint, ...args)
            const now = clock.now()
            const key = keyOf(endpoint, known(args))
            const wakes = requests.wakes(key)
            if (expiryStatus !== INVALID_STATUS && (now < expiresAt || wakes)) return data as ViewOf<typeof endpoint>
            const { error, errorUntil } = freshness.get(key)
            if (error !== undefined && (now < errorUntil || wakes)) throw error
            requests.mayAsk(key)
            return this.fetch(endpoint, ...args)
          }),
        ),
      get: (schema, ...args) => graph.query(schema, known(args)) as never,
      getResponse,
      getError,
      isFetching,
      view: ((target: unknown, ...args: readonly unknown[]) =>
        computed(() => (isEndpoint(target) ? getResponse(target, ...args).data : this.get(target, ...args)))) as Read<'signal'>,
      live: ((target: unknown, ...args: readonly unknown[]) => {
        const views = (live ??= createLive(this, signalTracker))
        if (!isEndpoint(target)) return views.query(target, ...args)
        // Through a memo: who shows the data does not run again because a request came and went.
        return signalTracker.memo(() => views.getResponse(target, ...args).data)()
      }) as Read<'value'>,
      set: (schema, ...rest) => {
        const write = { type: 'set', schema, value: rest.pop(), args: rest as readonly unknown[] } as const
        offer(write)
        recorder.write(write)
      },
      setResponse: (endpoint, ...rest) => {
        const response = rest.pop()
        const args: readonly unknown[] = rest
        const key = told('setResponse', endpoint, args, { response })
        const answer = answerOf(endpoint, args, endpoint.sideEffect ? undefined : key, response, clock.now() + endpoint.dataExpiryLength)
        group(() => {
          timeline.receive(answer, { cause: 'setResponse' })
          if (answer.key !== undefined) freshness.answered(key, timeline.now(), answer.expiresAt, endpoint, args)
        })
      },
      setError: (endpoint, ...rest) => {
        const error = rest.pop()
        const args: readonly unknown[] = rest
        const key = told('setError', endpoint, args, { error })
        group(() => freshness.failed(key, timeline.now().fetchedAt, error, clock.now() + endpoint.errorExpiryLength, endpoint, args))
      },
      invalidate: (endpoint, ...args) => invalidate([told('invalidate', endpoint, known(args))]),
      invalidateAll: which => invalidate(passing('invalidateAll', which)),
      expireAll: which => {
        const keys = passing('expireAll', which)
        group(() => freshness.expire(keys, timeline.now().fetchedAt))
      },
      reset,
      resetEntireStore: reset,
      subscribe: (endpoint, ...args) => void told('subscribe', endpoint, args),
      unsubscribe: (endpoint, ...args) => void (disposed || told('unsubscribe', endpoint, args)),
      abort: (endpoint, ...args) => requests.abort(told('abort', endpoint, args)),
      snapshot: () => store.state,
      subscribePatches: listener => store.subscribe(listener),
      applyPatches: (patches, { origin, stamps = [] } = {}) => group(() => timeline.apply({ patches, stamps }, { cause: 'applyPatches', origin })),
      dispose: () => {
        if (disposed) return
        disposed = true
        requests.endAll(() => new AbortError('The controller was disposed of.'))
        crew.stop()
        graph.dispose()
        live?.dispose()
        watch.dispose()
      },
    }
    Object.assign(this, verbs)

    const collection = options.gc === false ? [] : [createCollection(options.gc ?? {}, heapOf(this, timeline, [graph, watch]))]
    const crew = createCrew([...collection, ...managers, createNetwork(options), createPolling(options.retry || {})], report)
    store.subscribe(crew.tell)
    crew.start(this, managers)
    if (given !== undefined) trust(this, store.state)
    else if (initialState !== undefined) hydrate(this, initialState)
  }

  /** `using controller = new Controller()` disposes of it at the end of its block. */
  [Symbol.dispose](): void {
    this.dispose()
  }
}

// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- see above; `verbs` is checked to have all of it
export interface Controller extends Verbs {}
