/** Puts `member` on the list of `key`. */
export function gather<K, T>(lists: Map<K, T[]>, key: K, member: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [member])
  else list.push(member)
}
