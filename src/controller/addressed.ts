import { text } from '../base/keys.ts'
import { isPlain } from '../base/plain.ts'
import { footprintOfCall } from '../order/footprint.ts'
import type { Fields } from '../schema/interface.ts'

/** `args` that speak of (key, from) as (key, to): in the one parameter that says so, as others may have the same number. */
export function addressed(schema: unknown, args: readonly unknown[], key: string, from: string, to: string): readonly unknown[] {
  const [params, ...rest] = args
  const names = isPlain(params) ? Object.keys(params).filter(name => text(params[name]) === from) : []
  // A number stays one, unless what was made again is called by something else.
  const as = (param: unknown): unknown => (typeof param === 'number' && text(Number(to)) === to ? Number(to) : to)
  const others = text(params) === from ? [as(params)] : names.map(name => ({ ...(params as Fields), [name]: as((params as Fields)[name]) }))
  for (const other of others) {
    const { target, tables } = footprintOfCall({ schema }, [other, ...rest])
    // Where arguments do not say a type, the answer has said what they are about; a creation's are about nothing that has a pk.
    if (target ? target.key === key && target.pk === to : tables.size === 0) return [other, ...rest]
  }
  return args
}
