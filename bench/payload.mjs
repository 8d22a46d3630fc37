import { createHash } from 'node:crypto'
import { dice } from './random.mjs'

/** What the generated project list must come to; checked at every start, so that results stay comparable. */
export const PROJECTS = 709
export const BUILD_TYPES = 2117

const TEAMS = ['Core', 'Platform', 'Mobile', 'Search', 'Billing', 'Editor', 'Gateway', 'Identity', 'Reports', 'Cloud']
const PARTS = ['Service', 'Client', 'Plugins', 'Tools', 'Release', 'Nightly', 'Integration', 'Docs', 'Examples', 'Legacy']
const STEPS = ['Compile', 'Unit tests', 'Integration tests', 'Lint and format', 'Package', 'Publish', 'Deploy', 'Performance', 'Static analysis', 'Coverage']
const SYSTEMS = ['Linux', 'Windows', 'macOS']
const TYPES = ['regular', 'regular', 'regular', 'regular', 'composite', 'deployment']
const REMARKS = [
  'Built on every push to a protected branch',
  'Nightly builds with the full set of tests',
  'Owned by the release engineers; ask before you change a trigger',
  'Umbrella of the services that ship as one',
]
const SITE = 'https://ci.example'

/** How many build types the next project has: most have a few, some many, one in six none. */
function share(roll, left, projectsLeft) {
  if (projectsLeft === 1) return left
  const wanted = roll.chance(1 / 6) ? 0 : 1 + roll.below(roll.chance(0.1) ? 12 : 5)
  // What is left must neither run dry early nor pile up on the last project.
  const mean = left / projectsLeft
  return Math.min(left, mean > 4 ? wanted + 2 : mean < 2 ? wanted >> 1 : wanted)
}

function buildType(roll, serial, project) {
  const step = roll.pick(STEPS)
  const id = `${project.id}_${step.slice(0, 4)}${serial}`
  return {
    id,
    internalId: `bt${serial + 100}`,
    name: roll.chance(0.5) ? `${step} (${roll.pick(SYSTEMS)})` : step,
    projectId: project.id,
    projectName: project.name,
    type: roll.pick(TYPES),
    paused: roll.chance(0.08),
    href: `/app/rest/buildTypes/id:${id}`,
    webUrl: `${SITE}/build/${id}`,
  }
}

function parameters(roll) {
  const property = Array.from({ length: 1 + roll.below(3) }, (_, at) => ({
    name: `env.${roll.pick(TEAMS).toUpperCase()}_${at}`,
    value: roll.hex(8),
    inherited: roll.chance(0.5),
  }))
  return { count: property.length, property }
}

function makePayload() {
  const roll = dice(0x709)
  const project = []
  let serial = 0
  for (let at = 0; at < PROJECTS; at++) {
    const parent = at === 0 ? -1 : roll.below(Math.min(at, 60))
    const name = `${roll.pick(TEAMS)} ${roll.pick(PARTS)}`
    const id = `${name.split(' ')[0]}${at}`
    const made = {
      id,
      internalId: `project${at + 1}`,
      uuid: `${roll.hex(8)}-${roll.hex(4)}-${roll.hex(4)}-${roll.hex(4)}-${roll.hex(12)}`,
      name,
      parentProjectId: parent < 0 ? null : project[parent].id,
      position: at,
      archived: roll.chance(0.05),
      href: `/app/rest/projects/id:${id}`,
      webUrl: `${SITE}/project/${id}`,
    }
    if (roll.chance(0.3)) made.description = roll.pick(REMARKS)
    if (roll.chance(0.2)) made.parameters = parameters(roll)
    const count = share(roll, BUILD_TYPES - serial, PROJECTS - at)
    made.buildTypes = { count, buildType: Array.from({ length: count }, () => buildType(roll, serial++, made)) }
    project.push(made)
  }
  return { project }
}

/**
 * The response as it comes off the wire.
 *
 * Text and not objects, because what is normalized must be parsed anew every time: a contender may freeze
 * or keep its input, and one that is handed the same objects twice could know them again.
 */
export const payloadText = JSON.stringify(makePayload())

/** Names the exact data in the results. */
export const payloadDigest = createHash('sha256').update(payloadText).digest('hex').slice(0, 12)

/** A parsed copy that nobody else holds. */
export const freshPayload = () => JSON.parse(payloadText)

const counted = freshPayload().project
const buildTypes = counted.reduce((sum, { buildTypes }) => sum + buildTypes.buildType.length, 0)
if (counted.length !== PROJECTS || buildTypes !== BUILD_TYPES) {
  throw new Error(`The generated payload has ${counted.length} projects and ${buildTypes} build types.`)
}
