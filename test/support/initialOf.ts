import * as door from '../../src/index.ts'

/** What `dehydrate` returned, as the initial state of a controller: version 2 takes it by `hydrated(data)`, version 1 as it is. */
export function initialOf(data: unknown): never {
  const { hydrated } = door as unknown as { readonly hydrated?: (data: unknown) => unknown }
  return (hydrated ? hydrated(data) : data) as never
}
