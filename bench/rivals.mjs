import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDER } from './results.mjs'
import { weigh } from './weigh.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

const dataClient = {
  '@data-client/core': ['Controller', 'createReducer', 'initialState', 'applyManager', 'NetworkManager', 'SubscriptionManager', 'PollingSubscription'],
  '@data-client/rest': ['Entity'],
}
const apollo = { '@apollo/client/cache': ['InMemoryCache'] }
const urql = { '@urql/core': ['Client', 'fetchExchange', 'gql'], '@urql/exchange-graphcache': ['cacheExchange'] }

/**
 * What a user of another library imports to do about the same. A string says why there is nothing to compare.
 *
 * @type {Record<string, Record<string, Record<string, string[]> | string>>}
 */
const RIVALS = {
  'app with Solid': {
    'solid-query': { '@tanstack/solid-query': ['QueryClient', 'QueryClientProvider', 'useQuery'] },
    'solid-db': { '@tanstack/solid-db': ['createCollection', 'useLiveQuery', 'eq'] },
    'data-client, no binding': { ...dataClient, '@data-client/rest': ['Entity', 'createResource'] },
    'apollo, no binding': { ...apollo, '@apollo/client/core': ['ApolloClient', 'HttpLink', 'gql'] },
    'graphcache, no binding': urql,
    'rtk-query, no binding': { '@reduxjs/toolkit': ['configureStore'], '@reduxjs/toolkit/query': ['createApi', 'fetchBaseQuery'] },
  },
  'app with Preact': {
    'preact-query': { '@tanstack/preact-query': ['QueryClient', 'QueryClientProvider', 'useQuery'] },
    'data-client': 'its binding is for React',
  },
  'pure functions': {
    'data-client': { '@data-client/rest': ['Entity'], '@data-client/normalizr': ['normalize', 'denormalize'] },
    normalizr: { normalizr: ['normalize', 'denormalize', 'schema'] },
    normy: { '@normy/core': ['createNormalizer'] },
  },
  'Entity alone': {
    'data-client': { '@data-client/rest': ['Entity'] },
    normalizr: { normalizr: ['schema'] },
  },
}

/** What is not a name of a machine's folder. */
const reasonOf = error => String(error?.message ?? error).split('\n')[0].replace(/(?:file:\/\/)?\/\S*\//g, '')

const CACHE = join(FOLDER, 'rivals.json')

/** What decides how much they weigh: which they are, and what bundles them. */
const decisive = ['node_modules/.package-lock.json', 'weigh.mjs', '../package-lock.json']

/**
 * To bundle them takes most of a minute, and gives the same until one of them, or what bundles them, is another.
 *
 * @param {Record<string, string[]>} from
 * @returns {Promise<{ gzip: number, brotli: number }>}
 */
async function weighOnce(from) {
  const hash = createHash('sha256').update(JSON.stringify(from))
  for (const file of decisive) if (existsSync(join(here, file))) hash.update(readFileSync(join(here, file)))
  const key = hash.digest('hex')
  const cached = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
  if (cached[key]) return cached[key]
  const { brotli, gzip } = await weigh(here, from)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(CACHE, `${JSON.stringify({ ...cached, [key]: { gzip, brotli } })}\n`)
  return { gzip, brotli }
}

/**
 * What the rivals of an import weigh, and why some do not.
 *
 * @param {string} name of the import
 */
export async function weighRivals(name) {
  /** @type {Record<string, { gzip: number, brotli: number }>} */
  const sizes = {}
  /** @type {Record<string, string>} */
  const blanks = {}
  for (const [rival, from] of Object.entries(RIVALS[name] ?? {})) {
    if (typeof from === 'string') {
      blanks[rival] = from
      continue
    }
    try {
      sizes[rival] = await weighOnce(from)
    } catch (error) {
      blanks[rival] = reasonOf(error)
    }
  }
  return { sizes, blanks }
}

/** The packages whose versions a table of sizes names. */
export const rivalPackages = [...new Set(Object.values(RIVALS).flatMap(Object.values).flatMap(from => (typeof from === 'string' ? [] : Object.keys(from))))]
  .map(module => module.split('/').slice(0, module.startsWith('@') ? 2 : 1).join('/'))
  .filter((name, at, all) => all.indexOf(name) === at)
