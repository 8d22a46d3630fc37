/**
 * The project list taken apart as somebody writes it who needs it once: no schema, no checks.
 *
 * Imported under a name of its own by each contender, for the reason that `shapes.mjs` tells.
 */
export function apart({ project }) {
  const buildTypes = []
  const projects = project.map(one => {
    const listed = one.buildTypes.buildType
    for (const buildType of listed) buildTypes.push(buildType)
    return { ...one, buildTypes: { ...one.buildTypes, buildType: listed.map(idOf) } }
  })
  return { projects, buildTypes }
}

/** And assembled again. */
export const assemble = (projects, buildType) => ({
  project: projects.map(one => ({ ...one, buildTypes: { ...one.buildTypes, buildType: one.buildTypes.buildType.map(buildType) } })),
})

export const idOf = ({ id }) => id
