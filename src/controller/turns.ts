import type { Kept } from './inverse.ts'
import type { StepHost } from './steps.ts'

/** Lets calls about one row be taken back one after the other; the first one at once. */
export function createTurns(): StepHost['inTurn'] {
  const last = new Map<string, Promise<unknown>>()
  return (target, takeBack) => {
    const name = target && `${target.key} ${target.pk}`
    const before = name === undefined ? undefined : last.get(name)
    const again = async (): Promise<readonly Kept[]> => (await takeBack()) ?? []
    const turn = before === undefined ? takeBack() : before.then(again, again)
    if (name === undefined || turn === undefined) return turn
    const over = (): void => void (last.get(name) === turn && last.delete(name))
    last.set(name, turn)
    turn.then(over, over)
    return turn
  }
}
