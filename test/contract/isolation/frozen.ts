// Loaded before the suites: everything is imported that assigns to what it inherits while it loads, as signals-core does
// with valueOf; then Object.prototype can no longer be written to.
import '@preact/signals-core'
import 'fast-check'
import 'immer'
import 'uvu'
import 'uvu/assert'
import '../../../src/index.ts'
import '../../../src/testing/index.ts'

Object.freeze(Object.prototype)
