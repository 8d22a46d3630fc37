import { useEffect } from 'preact/hooks'

/** Asks again every few seconds while the last answer was an error. */
export function useRecovery(fault: unknown, refetch: () => Promise<unknown>): void {
  useEffect(() => {
    if (fault === undefined) return undefined
    const ask = (): void => void refetch().catch(() => {})
    const timer = setTimeout(ask, 3000)
    return () => clearTimeout(timer)
  }, [fault])
}
