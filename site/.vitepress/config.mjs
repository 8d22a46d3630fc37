import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { markExamples } from './examples.mjs'

const { api, sidebar } = JSON.parse(readFileSync(new URL('../pages/.generated.json', import.meta.url), 'utf8'))
const apiSidebar = [
  { text: 'patchcord', items: api.filter(({ title }) => !title.startsWith('patchcord/')).map(({ slug, title }) => ({ text: title, link: `/api/${slug}` })) },
  { text: 'Other entry points', items: api.filter(({ title }) => title.startsWith('patchcord/')).map(({ slug, title }) => ({ text: title, link: `/api/${slug}` })) },
]
const base = process.env.DOCS_BASE ?? '/'

export default defineConfig({
  srcDir: 'pages',
  outDir: '../build/site',
  cacheDir: 'cache',
  base,
  lang: 'en',
  title: 'patchcord',
  description: 'REST data for Solid and Preact: declare resources once, and every component that shows a row is updated when the row changes.',
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  cleanUrls: false,
  metaChunk: true,
  markdown: { config: markExamples, theme: { light: 'github-light-high-contrast', dark: 'github-dark' } },
  // The demo and the page that runs examples are files of the site, not pages of it.
  ignoreDeadLinks: false,
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guides', link: '/guides/resources', activeMatch: '/guides/' },
      { text: 'API', link: '/api/resources', activeMatch: '/api/' },
      { text: 'Demo', link: '/demo' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: {
      '/api/': apiSidebar,
      '/': [...sidebar, { text: 'More', items: [{ text: 'Benchmarks', link: '/benchmarks' }, { text: 'Changelog', link: '/changelog' }] }],
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
