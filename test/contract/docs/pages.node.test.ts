import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile, written } from '../../house/compiler.ts'
import { projectRoot, readText } from '../../house/sources.ts'
import { modules, printed, sources, transpile } from './compiling.ts'

/**
 * The ```ts blocks of a guide are one program, in order; a ```text block after one is what it prints. All are compiled
 * under strict settings and run. Guides that need a server or a page of their own have tests of their own.
 */
const elsewhere = ['docs/resources.md', 'docs/solid.md', 'docs/preact.md']
const pages = readdirSync(join(projectRoot, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
const guides = pages.filter(page => !elsewhere.includes(page))

function blocksOf(guide: string): { readonly code: string; readonly prints: string }[] {
  const found = readText(projectRoot, guide).matchAll(/^```ts\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)
  return [...found].map(match => ({ code: match[1]!, prints: match[2] ?? '' }))
}

/** Blocks of one page share a scope, and pages must not share one with each other. */
function program(guide: string, doors: typeof sources): string {
  const text = blocksOf(guide).map(({ code }, n) => `${code}console.log('--- ${n}')\n`).join('')
  return `${text}export {}\n`.replaceAll(/'(patchcord[/\w]*)'/g, (_, door: string) => `'${doors[door]}'`)
}

const test = suite('guides')

test('there are some, and all but the notes on the design have examples', () => {
  assert.ok(guides.length >= 5)
  for (const guide of guides) if (guide !== 'docs/design.md') assert.ok(blocksOf(guide).length > 0, guide)
})

test('are found from the README and from llms.txt, and what links name is there', () => {
  for (const list of ['README.md', 'llms.txt']) assert.equal(pages.filter(page => !readText(projectRoot, list).includes(`(${page})`)), [], list)
  for (const page of [...pages, 'README.md', 'llms.txt', 'examples/README.md']) {
    for (const [, link = ''] of readText(projectRoot, page).matchAll(/\]\((?!https?:)([^)]*)\)/g)) {
      const [path, part] = link.split('#')
      const file = path ? posix.join(posix.dirname(page), path) : page
      assert.ok(existsSync(join(projectRoot, file)), `${page}: ${link}`)
      const headings = part === undefined ? [] : [...readText(projectRoot, file).matchAll(/^#+ (.*)$/gm)].map(([, words]) => words!.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
      assert.ok(part === undefined || headings.includes(part), `${page}: ${link}`)
    }
  }
})

test('compile under strict settings', () => {
  const files = guides.map(guide => written(`docs/guides/${posix.basename(guide, '.md')}.ts`, program(guide, sources)))
  assert.equal(compile(files).split('\n').filter(line => line.includes('build/docs/')), [])
})

for (const guide of guides) {
  test(`${posix.basename(guide)} prints what it says`, async () => {
    const code = transpile(program(guide, modules), { verbatimModuleSyntax: true })
    const file = written(`docs/guides/${posix.basename(guide)}-${process.pid}.mjs`, code)
    const lines = await printed(() => import(file))
    for (const [n, { prints }] of blocksOf(guide).entries()) {
      const text = lines.splice(0, lines.indexOf(`--- ${n}`) + 1).slice(0, -1).join('\n')
      assert.is(text.trim(), prints.trim(), `${guide}, example ${n + 1}`)
    }
  })
}

test.run()
