// npm run docs: builds the documentation site into build/site.
//   npm run docs                      for the root of a host
//   npm run docs -- --base /patchcord/  for a folder of one
//   npm run docs -- --serve           and serves it at http://127.0.0.1:4173/
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build as buildLibrary } from '../.ci/build.mjs'
import { announce, root } from '../.ci/steps.mjs'
import { apiPages } from './api.mjs'
import { buildDemo } from './demo.mjs'
import { groups, others, readGuide, titleOf, toPage } from './guides.mjs'
import { ensureInstalled } from './install.mjs'
import { playConfig } from './vite.play.mjs'

const { values: options } = parseArgs({ options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } } })
const pages = join(root, 'site/pages')

async function main() {
  if (!(await buildLibrary({ withTests: false }))) throw new Error('The library does not compile.')
  ensureInstalled()
  announce('docs: pages')
  rmSync(pages, { recursive: true, force: true })
  writePages()
  await buildDemo(join(pages, 'public/demo'))
  announce('docs: the page that runs examples')
  const vite = await import('./node_modules/vite/dist/node/index.js')
  await vite.build(playConfig(join(pages, 'public/play')))
  announce('docs: the site')
  process.env.DOCS_BASE = options.base
  const { build, serve } = await import('./node_modules/vitepress/dist/node/index.js')
  await build(join(root, 'site'), { base: options.base, outDir: join(root, 'build/site') })
  announce('docs done: build/site')
  if (options.serve) await serve({ root: join(root, 'site'), base: options.base, port: 4173 })
}

function writePages() {
  const write = (name, text) => {
    mkdirSync(join(pages, name, '..'), { recursive: true })
    writeFileSync(join(pages, name), text)
  }
  const listed = groups.flatMap(({ guides }) => guides)
  const found = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3))
  const unlisted = found.filter((guide) => !listed.includes(guide))
  if (unlisted.length > 0) throw new Error(`Add ${unlisted.join(', ')} to the groups in site/guides.mjs.`)
  const sidebar = groups.map(({ guides, text }) => ({ text, items: guides.map((guide) => ({ text: titleOf(readGuide(guide)), link: `/guides/${guide}` })) }))
  for (const guide of listed) write(`guides/${guide}.md`, toPage(readGuide(guide), 'docs/'))
  for (const { file, slug } of others) write(`${slug}.md`, toPage(readFileSync(join(root, file), 'utf8'), file))
  const api = apiPages()
  for (const { slug, text } of api) write(`api/${slug}.md`, text)
  write('.generated.json', JSON.stringify({ sidebar, api: api.map(({ slug, title, names }) => ({ slug, title, names })) }))
  write('index.md', homePage())
  write('demo.md', readFileSync(join(root, 'site/demo.md'), 'utf8'))
  cpSync(join(root, 'site/icon.svg'), join(pages, 'public/icon.svg'))
  cpSync(join(root, 'docs/pictures'), join(pages, 'guides/pictures'), { recursive: true })
}

/** The home page quotes the README, so that there is one text: the first sentence, the example and what you get. */
function homePage() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, sentence] = /^# .*\n\n(.*)\n/.exec(readme)
  const example = /^```ts runnable\n[\s\S]*?^```\n\n```text\n[\s\S]*?^```\n\n.*$/m.exec(readme)[0].replace('```ts runnable', '```ts')
  const gains = readme.slice(readme.indexOf('## What you get'), readme.indexOf('The times are medians')).trim()
  const sizes = readme.slice(readme.indexOf('## Sizes'), readme.indexOf('## Read on')).replaceAll(/<!--.*?-->\n?/g, '').trim()
  const frontmatter = readFileSync(join(root, 'site/home.yml'), 'utf8').replace('SENTENCE', sentence.replace(/^A client-side data library for Solid and Preact: /, '').replace(/^./, (letter) => letter.toUpperCase()))
  return `---\n${frontmatter}---\n\n${toPage([`## Try it\n\n${example}`, gains, sizes].join('\n\n'), 'README.md')}\n`
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
