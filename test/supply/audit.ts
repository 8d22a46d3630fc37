import { spawn } from 'node:child_process'
import { projectRoot } from '../house/sources.ts'

/** What a registry knows of the packages in the lock file, or why it did not say. */
export type Audit = { readonly findings: readonly string[] } | { readonly unanswered: string }

/** `npm audit`, of the registry that npm is set to or of another. It asks once: not every registry answers this. */
export async function audit(registry?: string): Promise<Audit> {
  // Offline npm says that there is nothing, without asking.
  const flags = ['--json', '--offline=false', '--include=dev', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=10000', ...(registry === undefined ? [] : [`--registry=${registry}`])]
  const npm = spawn('npm', ['audit', ...flags], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  npm.stdout.on('data', chunk => (output += String(chunk)))
  await new Promise((resolve, reject) => npm.on('close', resolve).on('error', reject))
  return read(output)
}

interface Report {
  readonly message?: string
  readonly error?: { readonly summary: string }
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } }
  readonly vulnerabilities?: { readonly [name: string]: { readonly severity: string; readonly via: readonly (string | { readonly title: string })[] } }
}

function read(output: string): Audit {
  const { message, error, metadata, vulnerabilities = {} } = JSON.parse(output) as Report
  // Where it asked is the business of the machine.
  if (metadata === undefined) return { unanswered: (message || error?.summary || output).replaceAll(/\w+:\/\/[^/\s]*/g, '') }
  const findings = Object.entries(vulnerabilities).map(([name, { severity, via }]) => `${name}, ${severity}: ${via.map(cause => (typeof cause === 'string' ? `by ${cause}` : cause.title)).join('; ')}`)
  if (findings.length === metadata.vulnerabilities.total) return { findings }
  throw new Error(`npm audit counts ${metadata.vulnerabilities.total} findings and names ${findings.length}: ${output}`)
}
