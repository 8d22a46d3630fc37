import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asyncLaw } from '../../support/asyncLaw.ts'
import { broken } from '../../support/settings.ts'
import { tapes } from '../../support/tape.ts'
import * as library from './library.ts'
import { playersOf } from './play.ts'

const test = suite('INV-46: two controllers in one process share nothing')

const playerOf = playersOf(library)
const STEPS = 9
const met = { changed: 0 }

asyncLaw(test, 'INV-46 two histories in turns leave what each leaves alone, and none has a word of the other', 2000, fc.tuple(tapes(160), tapes(160), fc.array(fc.boolean(), { minLength: 2 * STEPS, maxLength: 2 * STEPS })), async ([a, b, turns]) => {
  const players = [playerOf('ann ', a), playerOf('bob ', b)]
  const left = [STEPS, STEPS]
  for (const second of turns) {
    const wanted = Number(second)
    const at = left[wanted]! > 0 ? wanted : 1 - wanted
    left[at]!--
    players[at]!.step()
  }
  const found = players.map(player => player.end())
  // One of the two is enough: which one is left to chance.
  const which = turns[0] ? 0 : 1
  const alone = turns[0] ? playerOf('ann ', a) : playerOf('bob ', b)
  for (let i = 0; i < STEPS; i++) alone.step()
  const expected = alone.end()
  if (found[which] !== expected) broken('A history came out otherwise beside another one.', found[which], expected)
  found.forEach((text, i) => {
    if (text.includes(['bob ', 'ann '][i]!)) broken('One user sees what the other wrote.', text)
    if (text.length > 400) met.changed++
  })
}, () => `${met.changed} histories that wrote something`)

test('a default that is shown by live objects of two stores can be written to by neither', () => {
  class Todo extends library.Entity {
    id = ''
    tags: string[] = []
    static override key = 'Todo'
  }
  const [mine, yours] = [new library.Controller(), new library.Controller()]
  for (const controller of [mine, yours]) controller.set(Todo, { id: '1' })
  assert.throws(() => (mine.live(Todo, { id: '1' }) as Todo).tags.push('leak'))
  assert.equal((yours.live(Todo, { id: '1' }) as Todo).tags, [])
  assert.equal([mine.get(Todo, { id: '1' })!.tags, yours.get(Todo, { id: '1' })!.tags], [[], []])
})

test.run()
