/** Fences of guides that are a part of the page's program; `tsx server` and the like are not. */
const languages = { ts: 'ts', tsx: 'tsx' }

/** Which compiler a `tsx` block of a page needs. */
const frameworks = { 'guides/solid.md': 'solid', 'guides/preact.md': 'preact' }

/** Guides without a program: fragments for contributors, results of benchmarks. */
const withoutProgram = /^(?:benchmarks|changelog|guides\/design)/

const encode = (text) => encodeURIComponent(text).replaceAll("'", '%27')

/**
 * Puts an `<Example>` around each block that can run. The blocks of a guide are one program, in order, and a `text` or
 * `html` block after one is its output. On pages of the API a block with `run=` is a program of its own.
 */
export function markExamples(md) {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, settings, env, self) => {
    const token = tokens[index]
    const info = token.info.trim()
    const path = env.relativePath ?? ''
    const door = /\brun=(\S+)/.exec(info)?.[1]
    const language = door ? 'ts' : languages[info] === 'tsx' ? frameworks[path] : path.startsWith('api/') || withoutProgram.test(path) ? undefined : languages[info]
    if (door) token.info = 'ts'
    const html = fence(tokens, index, settings, env, self)
    if (!language) return html
    const next = tokens[index + 1]
    const expected = next?.type === 'fence' && ['text', 'html'].includes(next.info.trim()) ? next.content.trim() : undefined
    env.examples = (env.examples ?? -1) + 1
    const page = path.replace(/^guides\/|\.md$/g, '')
    const given = { index: String(env.examples), language, page, code: encode(token.content), ...(door ? { door } : {}), ...(expected === undefined ? {} : { expected: encode(expected) }) }
    return `<Example ${Object.entries(given).map(([name, value]) => `${name}='${value}'`).join(' ')}>${html}</Example>\n`
  }
}
