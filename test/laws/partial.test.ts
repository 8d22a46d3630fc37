import { suite } from 'uvu'
import { Invalidate } from '../../src/index.ts'
import { documentOf } from './document.ts'
import { histories, walk, type Step } from './history.ts'
import { Model } from './model.ts'
import { same } from '../support/same.ts'
import { broken, law } from '../support/settings.ts'
import type { Species } from './species.ts'
import { Watch } from './watch.ts'
import { makeZoo, type Kind } from './zoo.ts'

const test = suite('laws: partial payloads')

/** Kinds whose entities merge by default. */
const simple = new Set(['nested', 'recursive', 'mutual', 'all', 'indexed'])
const zoo = [...makeZoo(), ...makeZoo(new Watch())].filter(({ name }) => simple.has(name))

law(test, 'INV-10 A store knows what a model knows: fields add up, and the newest word on each wins', 4_000, histories(zoo), history => {
  // Histories may branch; the model goes the same ways by starting anew from the steps that led there.
  const paths: Step[][] = [[]]
  walk(history, ({ after, step }, at) => {
    const path = [...paths[at]!, step]
    paths.push(path)
    const model = new Model()
    for (const each of path) tell(model, history.kind, each)
    const { entities } = documentOf(after)
    if (!same(entities, model.rows())) broken('the store and the model differ', entities, model.rows())
  })
})

/** Lets the model hear what the store heard. */
function tell(model: Model, kind: Kind, { request, meta }: Step): void {
  const { schema, input } = request
  const first = kind.species[0]!
  if (schema instanceof Invalidate) {
    for (const species of kind.species) if (isAbout(schema, species)) model.remove(species, input as unknown[], meta.fetchedAt)
  } else model.take(first, isPage(input) ? input.results : input, meta.fetchedAt)
}

function isPage(input: unknown): input is { results: unknown } {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, 'results') && !Object.hasOwn(input, 'id')
}

/** Removals are made for one species each; which one, their request remembers. */
function isAbout(schema: object, species: Species): boolean {
  return (schema as { about?: unknown }).about === species.entity
}

/** Not those where names come and go, or where a response may delete a row and write it again. */
const lasting = makeZoo().filter(({ name }) => name !== 'assigned' && name !== 'dropped')

law(test, 'INV-10 A field that a payload does not have stays; null is a value and absence is none', 4_000, histories(lasting), history => {
  walk(history, ({ before, after }) => {
    const next = documentOf(after).entities
    for (const [key, table] of documentOf(before).entities) {
      for (const [pk, row] of table) {
        const now = next.get(key)?.get(pk) as { [name: string]: unknown } | undefined
        if (now === undefined || now === row || Array.isArray(row)) continue
        for (const name of Object.keys(row as object)) {
          if (!Object.hasOwn(now, name) || now[name] === undefined) broken(`${key} ${pk} lost its ${name}`, row, now)
        }
      }
    }
  })
})

test.run()
