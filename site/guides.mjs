import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../.ci/steps.mjs'

/** The guides in the order of the side bar. A guide that is in `docs` and not here fails the build. */
export const groups = [
  { text: 'Start', guides: ['resources', 'solid', 'preact'] },
  { text: 'By task', guides: ['lists', 'optimistic', 'errors', 'search', 'authentication', 'forms', 'offline', 'push', 'testing', 'ssr'] },
  { text: 'In depth', guides: ['schemas', 'controller', 'devtools', 'tuning'] },
  { text: 'Migrating', guides: ['migrating-from-data-client', 'migrating-from-tanstack-query'] },
  { text: 'Contributing', guides: ['design'] },
]

/** Files outside of `docs` that have a page, because guides link to them. */
export const others = [
  { file: 'bench/README.md', slug: 'benchmarks' },
  { file: 'bench/browser/README.md', slug: 'benchmarks-in-a-browser' },
  { file: 'CHANGELOG.md', slug: 'changelog' },
]

export const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1] ?? ''

export const readGuide = (guide) => readFileSync(join(root, 'docs', `${guide}.md`), 'utf8')

/** Code spans and fences stay; Vue would read the rest as a template. */
export const withoutTemplates = (text) =>
  text.replaceAll(/(^```[\s\S]*?^```$|`[^`\n]*`)|\{\{/gm, (sign, code) => code ?? '&#123;&#123;')

/** The text of a page, with links to files of the repository turned into links to pages. */
export function toPage(text, folder) {
  const linked = text.replaceAll(/\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)/g, (link, path, part = '') => {
    const file = new URL(path, `http://root/${folder}`).pathname.slice(1)
    const other = others.find((each) => each.file === file)
    if (other) return `](/${other.slug}${part})`
    const guide = /^docs\/(.*)\.md$/.exec(file)?.[1]
    return guide ? `](/guides/${guide}${part})` : link
  })
  return withoutTemplates(linked)
}
