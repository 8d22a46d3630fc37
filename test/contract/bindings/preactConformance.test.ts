import { suite } from 'uvu'
import { withDom } from '../../support/dom.ts'
import { conformance } from './conformance.ts'
import { preactFramework } from './preactFramework.ts'

const test = suite('preact: conformance')

withDom(test)
conformance(test, preactFramework)

test.run()
