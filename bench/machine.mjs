import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'

/** What a reader needs to judge the numbers, and nothing that names the machine. */
export function machine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGB: Math.round(os.totalmem() / 2 ** 30),
    platform: `${os.platform()} ${os.arch()}`,
    // A loaded machine explains a wide spread.
    load: Number(os.loadavg()[0].toFixed(2)),
    node: process.version,
    v8: process.versions.v8,
  }
}

/**
 * Of packages that are installed; a contender that is not is named elsewhere, with the reason.
 *
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
export function versions(names) {
  const file = name => new URL(name === 'patchcord' ? '../package.json' : `./node_modules/${name}/package.json`, import.meta.url)
  return Object.fromEntries(names.flatMap(name => (existsSync(file(name)) ? [[name, JSON.parse(readFileSync(file(name), 'utf8')).version]] : [])))
}
