/**
 * What can contain `//` or `/*` without being a comment, then the comments. A slash starts a regular expression only
 * after an operator, an opening bracket or `return`. Template literals may nest one level deep.
 */
const TOKENS = new RegExp(
  [
    /(?<quote>["'])(?:\\.|(?!\k<quote>)[^\\\n])*\k<quote>/,
    /`(?:\\[\s\S]|\$\{(?:[^{}`]|`(?:\\[\s\S]|[^`\\])*`|\{[^{}]*\})*\}|[^`\\])*`/,
    /(?<=(?:^|[(,=:[!&|?{};>]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//,
    /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** The source without comments. A block comment leaves its line breaks, so that line numbers stay. */
export const stripComments = (source) =>
  source.replace(TOKENS, (...match) => {
    const { comment } = match.at(-1)
    return comment === undefined ? match[0] : comment.replace(/[^\n]/g, '')
  })

/** Lines that hold code: comments and blank lines do not count. */
export const countCodeLines = (source) => stripComments(source).split('\n').filter((line) => line.trim() !== '').length
