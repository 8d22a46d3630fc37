const WIDTH = 20

const bar = share => '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')

/** Minutes and seconds. */
const clock = milliseconds => `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, '0')}`

/**
 * Says what is being measured. On a terminal one line that is written over; elsewhere one line for each row, so
 * that a log shows where a run stands and nothing else.
 *
 * @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} stream
 */
export function createProgress(stream = process.stderr, now = () => performance.now()) {
  const begun = now()
  let last = ''
  return {
    /**
     * @param {string} suite
     * @param {string} row
     * @param {number} share of the row
     * @param {number} [at] which row of the suite
     * @param {number} [of] how many it has
     */
    show(suite, row, share, at = 0, of = 0) {
      const label = `${suite}${of > 0 ? ` ${at + 1}/${of}` : ''}`
      if (stream.isTTY) {
        const line = `${clock(now() - begun)} ${bar(share)} ${label}: ${row}`
        stream.write(`\r\x1b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      } else if (last !== `${label}: ${row}`) {
        last = `${label}: ${row}`
        stream.write(`${clock(now() - begun)} ${last}\n`)
      }
    },
    /** Minutes and seconds since it was made. */
    passed: () => clock(now() - begun),
    /** Takes the line away, so that something else can be printed there. */
    clear() {
      if (stream.isTTY) stream.write('\r\x1b[2K')
    },
  }
}
