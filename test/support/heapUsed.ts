/** Bytes in use after everything that can go has gone: cleanups and registries run between collections. Needs `--expose-gc`. */
export async function heapUsed(turns = 4): Promise<number> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise(resolve => setTimeout(resolve, 5))
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}
