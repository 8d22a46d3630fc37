import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Entity } from '../../../src/index.ts'
import { planOf } from '../../../src/schema/plan.ts'

const test = suite('an entity that is already stored')

class Plain extends Entity {
  static override key = 'Plain'
}

test('a class that overrides nothing is merged without calling its methods', () => {
  assert.is(planOf(Plain).custom.merge, false)
  class Versioned extends Plain {
    static override version = 'v'
  }
  assert.is(planOf(Versioned).custom.merge, true)
})

test.run()
