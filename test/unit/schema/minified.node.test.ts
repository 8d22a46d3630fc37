import { readFileSync } from 'node:fs'
import { minify } from 'terser'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('schema: places in a minified build')

const cases = (code: string): number => code.match(/\bcase \d+:/g)?.length ?? 0
/** Those with a statement of their own. */
const places = (code: string): number => code.match(/\bcase \d+:(?!\s*case\b)/g)?.length ?? 0

for (const file of ['compare', 'copy', 'instance']) {
  test(`each field that ${file}.ts meets keeps a place of its own`, async () => {
    const source = readFileSync(new URL(`../../../src/schema/${file}.js`, import.meta.url), 'utf8')
    const { code } = await minify(source, { module: true, compress: { passes: 2 } })
    const written = cases(source)
    assert.ok(written >= 6 * 12, `${written} places are written`)
    assert.is(cases(code!), written)
    assert.is(places(code!), written)
  })
}

test('branches that read alike are taken for one, which is why these do not', async () => {
  const alike = 'export const put = (to, at, name, value) => { switch (at) { case 0: to[name] = value; break; case 1: to[name] = value; break; case 2: to[name] = value } }'
  const { code } = await minify(alike, { module: true })
  assert.is(places(code!), 1)
})

test.run()
