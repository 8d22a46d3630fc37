import type { Locks } from '../../src/changes/index.ts'

interface Waiting {
  readonly mode: 'exclusive' | 'shared'
  readonly go: () => void
}

/** Locks as a browser has them, for several controllers of one process. `end` releases what an owner holds, as closing its tab does. */
export function createLocks(): Locks & { readonly of: (owner: string) => Locks; readonly end: (owner: string) => void; readonly granted: () => string[] } {
  const granted = new Map<string, { readonly mode: 'exclusive' | 'shared'; readonly owner: string; readonly release: () => void }[]>()
  const waiting = new Map<string, (Waiting & { readonly owner: string })[]>()
  const isFree = (name: string, mode: string): boolean => (granted.get(name) ?? []).every(each => mode === 'shared' && each.mode === 'shared')
  const next = (name: string): void => {
    const line = waiting.get(name) ?? []
    while (line[0] && isFree(name, line[0].mode)) line.shift()!.go()
  }
  const of = (owner: string): Locks => ({
    request: (name, { mode = 'exclusive', ifAvailable = false }, work) =>
      new Promise((resolve, reject) => {
        const go = (): void => {
          let isGranted = true
          const release = (): void => {
            if (!isGranted) return
            isGranted = false
            granted.set(name, granted.get(name)!.filter(each => each !== own))
            next(name)
          }
          const own = { mode, owner, release }
          granted.set(name, [...(granted.get(name) ?? []), own])
          Promise.resolve().then(() => work({ name })).then(resolve, reject).finally(release)
        }
        queueMicrotask(() => {
          const line = waiting.get(name) ?? []
          if (isFree(name, mode) && line.length === 0) go()
          else if (ifAvailable) Promise.resolve(work(null)).then(resolve, reject)
          else waiting.set(name, [...line, { mode, go, owner }])
        })
      }),
  })
  return {
    ...of(''),
    of,
    granted: () => [...granted].filter(([, list]) => list.length > 0).map(([name]) => name),
    end(owner) {
      for (const [name, line] of waiting) waiting.set(name, line.filter(each => each.owner !== owner))
      for (const list of granted.values()) for (const each of list) if (each.owner === owner) each.release()
    },
  }
}
