// Loaded before the suites: every object inherits what POLLUTION names, and our own code is yet to be loaded. What tests
// is loaded first, because fast-check does not start on such a page.
import 'fast-check'
import 'uvu'
import 'uvu/assert'

/** Only data: what comes with a `__proto__` in some JSON can be no function. */
const lent: { readonly [name: string]: unknown } = {
  polluted: 'x',
  schema: 'x',
  key: 'x',
  then: 'x',
  toJSON: 'x',
  method: 'DELETE',
  credentials: 'include',
  headers: { 'x-polluted': '1' },
}

for (const name of process.env['POLLUTION']!.split(' ')) (Object.prototype as { [name: string]: unknown })[name] = lent[name]
