// Plays the histories that come in, and says what can be seen of them.
import { readFileSync } from 'node:fs'
import * as sources from './library.ts'
import { playOn } from './play.ts'

console.warn = () => {}
const play = playOn(sources)
const messages: string[] = []
for (const bytes of JSON.parse(readFileSync(0, 'utf8')) as number[][]) messages.push(await play(bytes))
process.stdout.write(JSON.stringify(messages))
