import { LiveIndex } from '../view/liveIndex.ts'
import type { Source, Tracker } from '../view/tracker.ts'
import type { Use } from '../view/use.ts'
import type { Freshness, Status } from './freshness.ts'

/** Reads of statuses for one reactive library: whoever reads one runs again when it changes. */
export class StatusWatch {
  readonly #freshness: Freshness
  readonly #tracker: Tracker
  /** Whoever depends on a source keeps it. */
  readonly #sources = new LiveIndex<Source>()
  readonly #stop: () => void

  constructor(freshness: Freshness, tracker: Tracker) {
    this.#freshness = freshness
    this.#tracker = tracker
    this.#stop = freshness.subscribe(key => this.#sources.get(key)?.trigger())
  }

  read(key: string): Status {
    if (this.#tracker.isTracking()) {
      let source = this.#sources.get(key)
      if (source === undefined) this.#sources.set(key, (source = this.#tracker.source()))
      source.track()
    }
    return this.#freshness.get(key)
  }

  /** Tells which endpoints somebody looks at. */
  forEachUse(use: Use): void {
    this.#sources.forEach(key => use.result(undefined, key, []))
  }

  dispose(): void {
    this.#stop()
  }
}
