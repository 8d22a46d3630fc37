/** Waits in real time. */
export const pause = (ms = 0): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Waits in real time until it is so; what never becomes so fails by name. A machine may be busy elsewhere. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string | (() => string) = String(isSo), ms = 4000): Promise<void> {
  for (let turn = 0; turn < ms / 5; turn++) {
    if (await isSo()) return
    await pause(turn < 20 ? 0 : 5)
  }
  throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`)
}

/** So many turns of the event loop. Timers would take 4 ms each in a page, and there are thousands. */
export async function eventTurns(count: number): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  for (let turn = 0; turn < count; turn++) {
    await new Promise(resolve => {
      port1.onmessage = resolve
      port2.postMessage(0)
    })
  }
  port1.close()
}
