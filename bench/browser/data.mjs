/** Padded, because some keep rows in the order of their keys. */
export const idOf = index => String(index).padStart(6, '0')

/** Rows as a server sends them, fresh objects each time. */
export const makeRows = (count, authors = 10) =>
  Array.from({ length: count }, (_, id) => ({ id: idOf(id), title: `title ${id}`, done: id % 3 === 0, author: { id: idOf(id % authors), name: `author ${id % authors}` } }))

/** A page's list, watched: how often its texts and elements have changed since one last asked. */
export function watch(list) {
  let count = 0
  const add = records => {
    for (const { type, addedNodes, removedNodes } of records) count += type === 'characterData' ? 1 : addedNodes.length + removedNodes.length
  }
  const observer = new MutationObserver(add)
  observer.observe(list, { childList: true, characterData: true, subtree: true })
  return () => {
    add(observer.takeRecords())
    const changes = count
    count = 0
    return changes
  }
}

/** Waits until `isSo`, by the smallest turns there are; promises first, then the loop. */
export async function until(isSo) {
  for (let turn = 0; turn < 20; turn++) {
    if (isSo()) return
    await null
  }
  for (let turn = 0; turn < 5000; turn++) {
    if (isSo()) return
    await new Promise(resolve => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(0)
    })
  }
  throw new Error('It never showed.')
}
