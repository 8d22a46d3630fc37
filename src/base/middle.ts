/**
 * Where a list differs from what it was: outside of [start, end) its members stand where they stood, or have moved
 * together. Of `before` only the first `known` members count.
 */
export function middleOf(before: readonly unknown[], after: readonly unknown[], known: number): { start: number; end: number; shift: number } {
  const shift = after.length - known
  let start = 0
  while (start < known && start < after.length && before[start] === after[start]) start++
  let end = after.length
  while (end > start && end - shift > start && before[end - 1 - shift] === after[end - 1]) end--
  return { start, end, shift }
}
