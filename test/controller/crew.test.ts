import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Controller, Endpoint } from '../../src/index.ts'

const test = suite('managers of a controller')

test('one that throws is told of, and stops neither the request nor the others', async () => {
  const reported: unknown[] = []
  const seen: string[] = []
  const broken = new Error('mine')
  const controller = new Controller({
    onError: error => void reported.push(error),
    managers: [
      {
        action() {
          throw broken
        },
      },
      { action: action => void seen.push(action.type) },
    ],
  })
  const endpoint = new Endpoint(async () => 'there', { name: 'get' })
  assert.is(await controller.fetch(endpoint), 'there')
  controller.subscribe(endpoint.extend({ pollFrequency: 1000 }))
  controller.dispose()
  assert.equal(seen.slice(0, 2), ['fetch', 'subscribe'])
  assert.ok(reported.length >= 2 && reported.every(error => error === broken))
})

test('who has stopped is told of no commit', () => {
  const told: string[] = []
  const controller = new Controller({ managers: [{ commit: ({ cause }) => void told.push(cause), stop: () => void told.push('stop') }] })
  controller.dispose()
  controller.applyPatches([{ op: 'add', path: ['entities', 'Todo', '1'], value: { id: 1 } }])
  assert.equal(told, ['stop'])
})

test.run()
