import { useLayoutEffect, useRef } from 'preact/hooks'

let turn = 0
let turning = false

/**
 * Another number as soon as what is being rendered now has been shown, or was not. Who may wait asks before: what a
 * boundary does about it comes after the turn then.
 */
export function thisTurn(): number {
  if (!turning) {
    turning = true
    queueMicrotask(() => {
      turn++
      turning = false
    })
  }
  return turn
}

/**
 * Calls `begin` when the component is shown, and what that gives when it goes or when something in `inputs` has changed.
 * A layout effect, because the others are cleaned up only some time after the component has gone. A component that waits
 * before it was ever shown loses its hooks, but not the layout effects of those before the one that waited: they run
 * beside the new ones once it is shown, perhaps twice, and nobody ends them. They are told apart by their hooks, which
 * are not those that have just been rendered. Whoever kept his hooks while he waited has nothing but such a late one.
 */
export function useMounted(begin: () => (() => void) | undefined, inputs: readonly unknown[]): void {
  const rendered = useRef(0)
  rendered.current = thisTurn()
  let end: (() => void) | undefined
  useLayoutEffect(() => {
    if (rendered.current !== turn) return undefined
    end ??= begin()
    return () => {
      end?.()
      end = undefined
    }
  }, inputs)
}
