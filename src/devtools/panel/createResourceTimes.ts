import type { RecordedRequest } from '../RecordedRequest.ts'

const MOST_ENTRIES = 300

/** When the bodies of requests began to arrive, as the browser tells; nothing is known of other origins. */
export interface ResourceTimes {
  start(): void
  stop(): void
  /** When the first byte of the body came; undefined if nobody knows. */
  bodyOf(request: RecordedRequest): number | undefined
}

/** Calls `heard` when more is known. */
export function createResourceTimes(heard: () => void): ResourceTimes {
  let entries: PerformanceResourceTiming[] = []
  const observer = new PerformanceObserver(list => {
    entries = [...entries, ...(list.getEntries() as PerformanceResourceTiming[])].slice(-MOST_ENTRIES)
    heard()
  })
  return {
    start: () => observer.observe({ type: 'resource', buffered: true }),
    stop: () => observer.disconnect(),
    bodyOf({ key, sentAt = Infinity, answeredAt = 0 }) {
      const path = key.slice(key.indexOf(' ') + 1)
      const { responseStart } = entries.find(({ name, startTime, responseEnd }) => startTime >= sentAt - 1 && responseEnd <= answeredAt + 1 && name.endsWith(path)) ?? {}
      return responseStart ? Math.max(sentAt, responseStart) : undefined
    },
  }
}
