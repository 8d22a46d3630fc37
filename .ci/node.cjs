// Run before every other script. Written in the oldest JavaScript there is, so that an old Node
// can still read it and say what is wrong, instead of failing on the syntax of the next file.
'use strict'

/** The sentence for a Node that is too old, or undefined when it will do. */
exports.objection = function (version, range) {
  var needed = range.replace('>=', '').split('.')
  var found = version.replace('v', '').split('.')
  for (var i = 0; i < needed.length; i++) {
    if (Number(found[i]) > Number(needed[i])) return undefined
    if (Number(found[i]) < Number(needed[i])) {
      return 'patchcord needs Node ' + needed.join('.') + ' or newer, and this is Node ' + found.join('.') +
        '. Install a current one from https://nodejs.org and run the command again.'
    }
  }
  return undefined
}

if (require.main === module) {
  var sentence = exports.objection(process.versions.node, require('../package.json').engines.node)
  if (sentence) {
    console.error(sentence)
    process.exit(1)
  }
}
