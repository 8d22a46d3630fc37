import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doors } from './reach.ts'
import { projectRoot } from './sources.ts'

const { redirected, redirects } = (await import(pathToFileURL(join(projectRoot, 'test/next.mjs')).href)) as {
  redirects: { readonly [file: string]: string }
  redirected(url: string, folder?: string): string
}

const test = suite('the second aim of the suites, src/next')

test('every door has a redirection, and the adapter', () => {
  assert.equal(Object.keys(redirects).sort(), [...doors, 'test/adapter.ts'].map((file) => file.replace(/\.ts$/, '.js')).sort())
})

test('a door leads to src/next only when that has one, and nothing else is redirected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchcord-next-'))
  try {
    const file = join(folder, 'test/doors.next.js')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const url = (name: string): string => `${pathToFileURL(folder).href}/${name}`
    const lead = (name: string): string => redirected(url(name), url(''))
    assert.is(lead('src/index.js'), url('test/doors.next.js'))
    assert.is(lead('src/testing/index.js'), url('src/testing/index.js'))
    assert.is(lead('src/store/draft.js'), url('src/store/draft.js'))
    assert.is(redirected('node:fs', url('')), 'node:fs')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.run()
