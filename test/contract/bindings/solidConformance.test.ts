import { suite } from 'uvu'
import { withDom } from '../../support/dom.ts'
import { conformance } from './conformance.ts'
import { solidFramework } from './solidFramework.ts'

const test = suite('solid: conformance')

withDom(test)
conformance(test, solidFramework)

test.run()
