/** An example of the README that says of itself that it runs, and what the block after it says it prints. */
export interface Example { readonly line: number; readonly code: string; readonly prints: string | undefined }

/**
 * The blocks that open with ```ts runnable. A ```text block that follows, with nothing but blank lines
 * between, is what they print.
 */
export function examplesOf(markdown: string): Example[] {
  const found: Example[] = []
  const blocks = /^```ts runnable\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm
  for (const match of markdown.matchAll(blocks)) {
    const line = markdown.slice(0, match.index).split('\n').length
    found.push({ line, code: match[1] ?? '', prints: match[2] })
  }
  return found
}
