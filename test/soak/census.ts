import { readFileSync } from 'node:fs'

interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] } }
  readonly nodes: readonly number[]
  readonly strings: readonly string[]
}

/** What was on a heap. */
export interface Census {
  /** Bytes of bytecode, machine code, and what the engine notes down about types while code runs. */
  readonly code: number
  /** Bytes of all the rest: objects, strings, closures, hidden classes, weak references. */
  readonly data: number
  readonly objects: number
  /** The data, by kind and name: `object Controller`. */
  readonly named: ReadonlyMap<string, number>
}

/** Counts a snapshot. */
export function readCensus(file: string): Census {
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8')) as Snapshot
  const { node_fields: fields, node_types: [kinds] } = snapshot.meta
  const [kindAt, nameAt, sizeAt] = ['type', 'name', 'self_size'].map(field => fields.indexOf(field)) as [number, number, number]
  const named = new Map<string, number>()
  let [code, data, objects] = [0, 0, 0]
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = kinds[nodes[at + kindAt]!]!
    const size = nodes[at + sizeAt]!
    if (kind === 'code') code += size
    else {
      data += size
      // What has a number in its name is one of many.
      const name = `${kind} ${strings[nodes[at + nameAt]!]!.slice(0, 60).replaceAll(/\d+/g, '#')}`
      named.set(name, (named.get(name) ?? 0) + size)
    }
    if (kind === 'object') objects++
  }
  return { code, data, objects, named }
}

/** Where the data grew most. */
export function grown(before: Census, after: Census): string[] {
  const differences = [...after.named].map(([name, bytes]) => [name, bytes - (before.named.get(name) ?? 0)] as const)
  return differences.filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a).slice(0, 10).map(([name, bytes]) => `${bytes} B ${name}`)
}
