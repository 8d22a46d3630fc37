import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { inspect } from 'node:util'
import ts from 'typescript-5.9'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot, readText } from '../../house/sources.ts'

/**
 * The ```ts blocks of a guide are one program, in order; a ```text block after one is what it prints. All are compiled
 * under strict settings and run. Guides that need a server or a page of their own have tests of their own.
 */
const elsewhere = ['resources.md', 'solid.md', 'preact.md']
const guides = readdirSync(join(projectRoot, 'docs')).filter(name => name.endsWith('.md') && !elsewhere.includes(name))
const folder = join(projectRoot, 'build/docs')

interface Block {
  readonly code: string
  readonly prints: string
}

function blocksOf(guide: string): Block[] {
  const found = readText(projectRoot, `docs/${guide}`).matchAll(/^```ts\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm)
  return [...found].map(match => ({ code: match[1]!, prints: match[2] ?? '' }))
}

function program(guide: string, doors: { readonly [door: string]: string }): string {
  let text = blocksOf(guide).map(({ code }, n) => `${code}console.log('--- ${n}')\n`).join('')
  for (const [door, file] of Object.entries(doors)) text = text.replaceAll(`'${door}'`, `'${file}'`)
  return text
}

const test = suite('guides')

test('there are some, and all but the notes on the design have examples', () => {
  assert.ok(guides.length >= 5)
  for (const guide of guides) if (guide !== 'design.md') assert.ok(blocksOf(guide).length > 0, guide)
})

test('are found from the README and from llms.txt, and what links name is there', () => {
  const pages = readdirSync(join(projectRoot, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
  for (const list of ['README.md', 'llms.txt']) {
    const text = readText(projectRoot, list)
    assert.equal(pages.filter(page => !text.includes(`(${page})`)), [], list)
  }
  for (const page of [...pages, 'README.md', 'llms.txt', 'examples/README.md']) {
    const links = [...readText(projectRoot, page).matchAll(/\]\((?!https?:)([^)]*)\)/g)].map(([, link]) => link!)
    for (const link of links) {
      const [path, part] = link.split('#')
      const file = path ? posix.join(posix.dirname(page), path) : page
      assert.ok(existsSync(join(projectRoot, file)), `${page}: ${link}`)
      const headings = part === undefined ? [] : [...readText(projectRoot, file).matchAll(/^#+ (.*)$/gm)].map(([, words]) => words!.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
      assert.ok(part === undefined || headings.includes(part), `${page}: ${link}`)
    }
  }
})

test('compile under strict settings', () => {
  mkdirSync(folder, { recursive: true })
  const files = guides.map(guide => {
    const file = join(folder, guide.replace('.md', '.ts'))
    // Blocks of one page share a scope, and pages must not share one with each other.
    writeFileSync(file, `${program(guide, { patchcord: '../../src/index.ts', 'patchcord/history': '../../src/history/index.ts', 'patchcord/push': '../../src/push/index.ts', 'patchcord/changes': '../../src/changes/index.ts', 'patchcord/tabs': '../../src/tabs/index.ts', 'patchcord/persist': '../../src/persist/index.ts', 'patchcord/outbox': '../../src/outbox/index.ts', 'patchcord/devtools': '../../src/devtools/index.ts', 'patchcord/testing': '../../src/testing/index.ts' })}export {}\n`)
    return file
  })
  const flags = '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noImplicitOverride --skipLibCheck --allowImportingTsExtensions --target es2022 --lib es2023,dom,dom.iterable --module nodenext'
  const { stdout } = spawnSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), ...files], { encoding: 'utf8', cwd: projectRoot, env: { ...process.env, FORCE_COLOR: '0' } })
  assert.equal(stdout.split('\n').filter(line => line.includes('build/docs/')), [])
})

for (const guide of guides) {
  test(`${guide} prints what it says`, async () => {
    const url = (path: string): string => new URL(path, import.meta.url).href
    const source = ts.transpileModule(program(guide, { patchcord: url('../../../src/index.js'), 'patchcord/history': url('../../../src/history/index.js'), 'patchcord/push': url('../../../src/push/index.js'), 'patchcord/changes': url('../../../src/changes/index.js'), 'patchcord/tabs': url('../../../src/tabs/index.js'), 'patchcord/persist': url('../../../src/persist/index.js'), 'patchcord/outbox': url('../../../src/outbox/index.js'), 'patchcord/devtools': url('../../../src/devtools/index.js'), 'patchcord/testing': url('../../../src/testing/index.js') }), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
    })
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${guide}-${process.pid}.mjs`)
    writeFileSync(file, source.outputText)
    const printed: string[] = []
    const { log } = console
    console.log = (...words: unknown[]) => void printed.push(words.map(word => (typeof word === 'string' ? word : inspect(word))).join(' '))
    try {
      await import(file)
    } finally {
      console.log = log
    }
    let text = printed.join('\n')
    for (const [n, { prints }] of blocksOf(guide).entries()) {
      const [mine = '', ...rest] = text.split(`--- ${n}\n`)
      assert.is(mine.replace(`--- ${n}`, '').trim(), prints.trim(), `${guide}, example ${n + 1}`)
      text = rest.join(`--- ${n}\n`)
    }
  })
}

test.run()
