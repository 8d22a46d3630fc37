// Makes a failing history shorter and simpler.

/**
 * The shortest history found that `fails` still accepts: steps are dropped in chunks, then one by one, then arguments
 * are simplified. `fails(history)` gives the difference, or undefined.
 */
export async function shrink(history, fails, limit = 2000) {
  let best = history
  let tries = 0
  const attempt = async candidate => {
    if (tries++ > limit) return false
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  const found = await fails(best)
  if (found) await attempt({ ...best, steps: best.steps.slice(0, found.index + 1) })
  for (let size = best.steps.length >> 1; size >= 1; size = size > 1 ? size >> 1 : 0) await dropChunks(size)
  for (let before = ''; before !== JSON.stringify(best); ) {
    before = JSON.stringify(best)
    await dropChunks(1)
    for (let i = 0; i < best.steps.length; i++) for (const step of simpler(best.steps[i])) await attempt({ ...best, steps: best.steps.with(i, step) })
    for (const settings of simplerSettings(best.settings)) await attempt({ ...best, settings })
  }
  return best

  async function dropChunks(size) {
    for (let at = best.steps.length - size; at >= 0; at -= size) {
      if (at > best.steps.length) continue
      await attempt({ ...best, steps: best.steps.toSpliced(at, size) })
    }
  }
}

function* simplerSettings(settings) {
  for (const name of ['retry', 'gc', 'deaf']) if (settings[name]) yield { ...settings, [name]: false }
  if (settings.mount.length > 1) yield { ...settings, mount: [0] }
  if (settings.mount.length > 1) yield { ...settings, mount: [1] }
}

/** The step with less in it. */
function* simpler(step) {
  if (step.nth > 0) yield { ...step, nth: 0 }
  if (step.omit) yield { ...step, omit: undefined }
  if (step.how === 'stale') yield { ...step, how: 'ok' }
  if (step.steps) for (const inner of step.steps) yield inner
  for (const field of ['args', 'value', 'response', 'fields', 'patches']) if (step[field]) for (const value of simplerValue(step[field])) yield { ...step, [field]: value }
}

function* simplerValue(value) {
  if (typeof value !== 'object' || value === null) return
  if ('$temporary' in value) {
    yield value.or
    if (value.$temporary > 0) yield { ...value, $temporary: 0 }
    return
  }
  for (const name of Object.keys(value)) {
    // A path or an id that is dropped would make another step of it.
    if (name !== 'id' && name !== 'op' && name !== 'path' && !(Array.isArray(value) && value.length === 1)) yield Array.isArray(value) ? value.toSpliced(Number(name), 1) : without(value, name)
    if (name === 'path') continue
    for (const member of simplerValue(value[name])) yield Array.isArray(value) ? value.with(Number(name), member) : { ...value, [name]: member }
  }
}

function without(value, name) {
  const { [name]: _, ...rest } = value
  return rest
}
