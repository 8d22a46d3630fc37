import type { Part, Template } from './template.ts'

/** A step of a program: a character, a run of characters, or a part that may be skipped. */
type Step = string | typeof SEGMENT | typeof ANYTHING | { readonly skipTo: number }

const SEGMENT = 0
const ANYTHING = 1

/** Whether `path` could have been made from `template`. Linear in the length of the path: every possibility goes one step at a time. */
export function matchTemplate({ parts }: Template, path: string): boolean {
  const steps: Step[] = []
  compile(parts, steps)
  let at = new Set<number>()
  reach(0, at)
  for (const character of path) {
    const next = new Set<number>()
    for (const place of at) {
      const step = steps[place]
      if (step === character) reach(place + 1, next)
      else if (step === ANYTHING || (step === SEGMENT && character !== '/')) {
        next.add(place)
        reach(place + 1, next)
      }
    }
    at = next
  }
  return at.has(steps.length)

  function reach(place: number, places: Set<number>): void {
    const step = steps[place]
    if (typeof step !== 'object') places.add(place)
    else if (!places.has(place)) {
      places.add(place)
      reach(place + 1, places)
      reach(step.skipTo, places)
    }
  }
}

function compile(parts: readonly Part[], steps: Step[]): void {
  for (const part of parts) {
    if (typeof part === 'string') steps.push(...part)
    else if (!('name' in part)) {
      const skip = { skipTo: 0 }
      steps.push(skip)
      compile(part, steps)
      skip.skipTo = steps.length
    } else steps.push(part.wild ? ANYTHING : SEGMENT)
  }
}
