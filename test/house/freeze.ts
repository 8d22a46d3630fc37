// npm run doors:update: writes down the public names as they are now.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frozenFile, readDoors } from './doors.ts'
import { projectRoot } from './sources.ts'

const doors = readDoors(projectRoot)
writeFileSync(join(projectRoot, frozenFile), `${JSON.stringify(doors, null, 2)}\n`)
for (const [door, { values, types }] of Object.entries(doors)) console.log(`${door}: ${values.length} values, ${types.length} types`)
console.log(`Written to ${frozenFile}.`)
