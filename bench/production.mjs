/**
 * Imported before any contender: all of them run as an application would ship them.
 *
 * `process.env` becomes a plain object, because every read of the real one is a call into the environment of
 * the process (about half a microsecond), and libraries read it once for each entity. A bundler replaces those
 * reads by a constant; without this they would be a quarter of a peer's time and make us look good.
 *
 * `--as-installed` leaves both as Node has them, for who runs unbundled on a server.
 */
const AS_INSTALLED = 'BENCH_AS_INSTALLED'

const asInstalled = process.env[AS_INSTALLED] === '1'
if (!asInstalled) process.env = { ...process.env, NODE_ENV: 'production' }

/** What the results say about how the contenders were loaded. */
export const LOADED = asInstalled ? 'as installed' : 'as bundled'

/** The environment of a process that measures. */
export const environment = installed => ({ ...process.env, NODE_ENV: 'production', [AS_INSTALLED]: installed ? '1' : '0' })

/**
 * What it is started with. `module` picks the modern builds that bundlers pick. A knob reaches processes that a row
 * starts.
 *
 * V8 marks a large heap in small steps, for seconds, and as long as it does every write into that heap costs several
 * times as much. Who is hit by that, and in which samples, is chance: here it marks at once, in the sample that is due.
 */
export const nodeFlags = installed => [
  '--expose-gc',
  '--no-incremental-marking',
  ...(installed ? [] : ['--conditions=module']),
  ...(process.env['BENCH_KNOB'] ? [`--import=${new URL('./knobs/register.mjs', import.meta.url).href}`] : []),
]
