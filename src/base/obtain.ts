/** What a map has under `key`, made and kept there if it is not yet. */
export function obtain<K, V extends object>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: (key: K) => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make(key)))
  return value
}
