// npm run docs:check: opens every page of build/site in Chromium, follows every internal link, runs every example, and
// uses the search, the editor and the demo. Run npm run docs first.
//   npm run docs:check                everything
//   npm run docs:check -- lists       only pages whose address matches
//   npm run docs:check -- --uses demo  such pages, and the search, the editor and the demo
//   npm run docs:check -- --shots     and leaves pictures in build/shots
import { createServer } from 'node:http'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from '../bench/browser/chromium.mjs'
import { announce, root } from '../.ci/steps.mjs'

const site = join(root, 'build/site')
const { positionals: [pattern = ''], values: { shots, uses } } = parseArgs({ allowPositionals: true, options: { shots: { type: 'boolean', default: false }, uses: { type: 'boolean', default: false } } })
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.woff2': 'font/woff2' }
const faults = []

/** Serves the folder as a plain host of files would. */
async function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = join(site, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    if (!file.startsWith(site) || !existsSync(file)) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { close: () => server.close(), address: `http://127.0.0.1:${server.address().port}` }
}

const pagesOf = () =>
  readdirSync(site, { recursive: true })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.html') && !/^\/(?:demo|play)\//.test(file) && file !== '/404.html')
    .sort()

/** Opens a page; errors of its scripts and of its requests are faults. */
async function open(context, address, path) {
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`))
  page.on('response', (response) => response.status() >= 400 && response.url().startsWith(address) && faults.push(`${path}: ${response.url().slice(address.length)} is a ${response.status()}`))
  await page.goto(address + path, { waitUntil: 'networkidle' })
  return page
}

/** The internal links of a page, and the names that links can end in. */
const readLinks = (page) =>
  page.evaluate(() => ({
    links: [...document.querySelectorAll('a[href]')].map(({ href }) => href).filter((href) => href.startsWith(location.origin)),
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  }))

/** Runs each example of a page, and compares the output with the block below it. */
async function runExamples(page, path) {
  const examples = await page.locator('.example').all()
  for (const [n, example] of examples.entries()) {
    await example.locator('.example-run').click()
    await page.waitForFunction((element) => !['idle', 'running'].includes(element.dataset.state), await example.elementHandle(), { timeout: 30_000 })
    const expected = await example.evaluate((element) => {
      const next = element.nextElementSibling
      return next?.matches('.language-text, .language-html') ? next.querySelector('code').textContent.trim() : undefined
    })
    const error = await example.locator('.example-error').allTextContents()
    if (error.length > 0) faults.push(`${path}, example ${n + 1}: ${error.join(' ')}`)
    else if (expected !== undefined) await compare(example, expected, `${path}, example ${n + 1}`)
  }
  return examples.length
}

/** Components need a moment until they show the text. */
async function compare(example, expected, where) {
  const language = await example.getAttribute('data-language')
  const read = async () => {
    if (language === 'ts') return (await example.locator('.example-output').allTextContents()).join('\n').trim()
    const frame = example.frameLocator('iframe').locator('body')
    return language === 'solid' ? (await frame.innerHTML()).replaceAll('<!---->', '').trim() : ((await frame.textContent()) ?? '').trim()
  }
  let found
  for (let turns = 0; turns < 50; turns++) {
    found = await read()
    if (found === expected) return
    if (language === 'ts') break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  faults.push(`${where} shows\n${found}\ninstead of\n${expected}`)
}

async function useEditor(context, address) {
  const page = await open(context, address, '/guides/lists.html')
  const example = page.locator('.example').nth(1)
  await example.getByRole('button', { name: 'Edit' }).click()
  const editor = example.locator('.cm-content')
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type("console.log('edited', fetch.calls.length)")
  await page.keyboard.press('Control+Enter')
  const output = example.locator('.example-output')
  await output.waitFor({ timeout: 30_000 })
  await page.waitForFunction((element) => element.dataset.state === 'done', await example.elementHandle())
  const text = await output.textContent()
  if (!/edited 2$/.test(text)) faults.push(`The edited example printed ${text}.`)
  await page.keyboard.press('Enter')
  await page.keyboard.type("throw new Error('mine')")
  await page.keyboard.press('Control+Enter')
  const error = example.locator('.example-error')
  await error.waitFor({ timeout: 30_000 })
  if (!/Error: mine/.test(await error.textContent())) faults.push(`An error of an edited example is shown as ${await error.textContent()}.`)
  await example.getByRole('button', { name: 'Reset' }).click()
  if ((await editor.count()) > 0 || (await output.count()) > 0) faults.push('Reset leaves the edited example open.')
  await page.close()
}

async function useSearch(context, address) {
  const page = await open(context, address, '/index.html')
  await page.locator('.VPNavBarSearch button').first().click()
  await page.locator('.VPLocalSearchBox input').fill('useSuspense')
  const result = page.locator('.VPLocalSearchBox .result').first()
  await result.waitFor({ timeout: 20_000 })
  await result.click()
  await page.waitForURL((url) => url.pathname !== '/index.html' && url.pathname !== '/')
  await page.close()
}

/** Opens both demos in the page of the site, closes an issue, and undoes it. */
async function useDemo(context, address) {
  const page = await open(context, address, '/demo.html')
  for (const name of ['Solid', 'Preact']) {
    await page.getByRole('button', { name, exact: true }).click()
    const frame = page.frameLocator('.demo iframe')
    await frame.locator('.issues .issue').first().waitFor({ timeout: 30_000 })
    const count = await frame.locator('.issues .issue').count()
    if (count < 10) faults.push(`The demo in ${name} shows ${count} issues.`)
    await frame.locator('.issues .issue a[href]').first().click()
    await frame.locator('h1, h2, input, textarea').first().waitFor({ timeout: 10_000 })
  }
  await page.close()
}

async function takeShots(browser, address) {
  const folder = join(root, 'build/shots')
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 390]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: width === 390 ? 844 : 900 } })
      for (const path of ['/index.html', '/guides/lists.html', '/guides/solid.html', '/api/controller.html', '/demo.html']) {
        const page = await open(context, address, path)
        const example = page.locator('.example').nth(path.includes('solid') ? 2 : 1)
        if (path.startsWith('/guides/')) {
          if (path.includes('lists')) await example.getByRole('button', { name: 'Edit' }).click()
          await example.locator('.example-run').click()
          await page.waitForFunction((element) => ['done', 'failed'].includes(element.dataset.state), await example.elementHandle(), { timeout: 30_000 })
          await example.evaluate((element) => element.scrollIntoView({ block: 'center' }))
        }
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        await page.screenshot({ path: join(folder, `site${path.replace('.html', '').replaceAll('/', '-')}-${width}-${colorScheme}.png`) })
        await page.close()
      }
      await context.close()
    }
  }
}

async function main() {
  if (!existsSync(join(site, 'index.html'))) throw new Error('There is no site in build/site. Run npm run docs first.')
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.')
  const { address, close } = await serve()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const all = pagesOf()
    const chosen = all.filter((path) => path.includes(pattern))
    const found = new Map()
    let examples = 0
    for (const path of chosen) {
      const page = await open(context, address, path)
      found.set(path, await readLinks(page))
      const ran = await runExamples(page, path)
      examples += ran
      announce(`docs: ${path} opened, ${ran} examples ran`)
      await page.close()
    }
    const links = followed(found, address, all)
    if (!pattern || uses) for (const use of [useEditor, useSearch, useDemo]) await use(context, address)
    if (!pattern && examples < 100) faults.push(`Only ${examples} examples were found.`)
    if (shots) await takeShots(browser, address)
    for (const fault of faults) console.log(fault)
    announce(`${faults.length === 0 ? 'Docs passed' : `DOCS FAILED (${faults.length})`}: ${chosen.length} pages, ${links} links, ${examples} examples.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    await browser.close()
    close()
  }
}

/** Checks that every link leads to a file, and its part to an element of that page. Gives the number of different links. */
function followed(found, address, all) {
  const seen = new Set()
  for (const [path, { links }] of found) {
    for (const link of links) {
      const { hash, pathname } = new URL(link)
      const target = pathname.endsWith('/') ? `${pathname}index.html` : decodeURIComponent(pathname)
      seen.add(target + hash)
      if (!existsSync(join(site, target))) faults.push(`${path} links to ${link.slice(address.length)}, which is not there.`)
      else if (hash && found.has(target) && all.includes(target) && !found.get(target).ids.includes(decodeURIComponent(hash.slice(1)))) faults.push(`${path} links to ${link.slice(address.length)}: that page has no such part.`)
    }
  }
  return seen.size
}

main().catch((error) => {
  for (const fault of faults) console.log(fault)
  console.error(error.message)
  process.exitCode = 1
})
