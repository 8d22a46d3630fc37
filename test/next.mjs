// node --import ./test/next.mjs …: whatever imports a public door, or test/adapter.ts, gets the one of src/next/.
// A door that src/next/ does not have yet stays the old one.
import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

const build = new URL('../build/', import.meta.url).href

/** Compiled files, from the folder `build`. */
export const redirects = {
  'src/index.js': 'test/doors.next.js',
  'src/testing/index.js': 'src/next/testing/index.js',
  'bindings/solid/index.js': 'src/next/bindings/solid/index.js',
  'bindings/preact/index.js': 'src/next/bindings/preact/index.js',
  'test/adapter.js': 'test/adapter.next.js',
}

/** Where `url` leads to; itself when `src/next/` has no such file. */
export function redirected(url, folder = build) {
  if (!url.startsWith(folder)) return url
  const target = redirects[url.slice(folder.length)]
  return target !== undefined && existsSync(fileURLToPath(folder + target)) ? folder + target : url
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  const url = redirected(resolved.url)
  // A door of src/next/ may import what it shares with the old one by that name.
  const fromNext = context.parentURL?.startsWith(`${build}src/next/`) || context.parentURL?.startsWith(`${build}test/adapter.next.js`) || context.parentURL?.startsWith(`${build}test/doors.next.js`)
  return fromNext || url === resolved.url ? resolved : { ...resolved, url }
}
