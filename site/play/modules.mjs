/** The packages that an example may import: the built library, the frameworks, and a disk in memory. */
const loaders = {
  patchcord: () => import('patchcord'),
  'patchcord/changes': () => import('patchcord/changes'),
  'patchcord/devtools': () => import('patchcord/devtools'),
  'patchcord/history': () => import('patchcord/history'),
  'patchcord/outbox': () => import('patchcord/outbox'),
  'patchcord/persist': () => import('patchcord/persist'),
  'patchcord/push': () => import('patchcord/push'),
  'patchcord/tabs': () => import('patchcord/tabs'),
  'patchcord/preact': () => import('patchcord/preact'),
  'patchcord/solid': () => import('patchcord/solid'),
  'patchcord/testing': () => import('patchcord/testing'),
  '@preact/signals': () => import('@preact/signals'),
  '@preact/signals-core': () => import('@preact/signals-core'),
  'node:fs/promises': () => import('./disk.mjs'),
  'node:os': () => import('./disk.mjs'),
  'node:path': () => import('./disk.mjs'),
  preact: () => import('preact'),
  'preact/compat': () => import('preact/compat'),
  'preact/hooks': () => import('preact/hooks'),
  'preact/jsx-runtime': () => import('preact/jsx-runtime'),
  'solid-js': () => import('solid-js'),
  'solid-js/web': () => import('solid-js/web'),
}

export function loadModule(name) {
  const load = loaders[name]
  if (!load) throw new Error(`An example cannot import '${name}'. It can import ${Object.keys(loaders).join(', ')}.`)
  return load()
}
