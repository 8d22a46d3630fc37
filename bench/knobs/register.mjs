// Imported before all else by a process that measures a knob.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url, { data: { everywhere: process.env['BENCH_KNOB'] } })
