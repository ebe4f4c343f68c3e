import { useState } from 'react'
import { hasReason } from '../../app/failures.ts'
import { adminFailureText } from '../admin-failure-text.ts'

/** How the editor of a definition saves: whether it does so now, and why it could not. `isStale`: somebody else has saved it meanwhile. */
export function useSaving(failureText: (error: unknown) => string = adminFailureText) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isStale, setStale] = useState(false)

  /** Resolves to whether the work succeeded. */
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      return true
    } catch (error) {
      if (hasReason(error, 'version_conflict')) setStale(true)
      else setFailure(failureText(error))
      return false
    } finally {
      setBusy(false)
    }
  }

  /** Says why nothing is sent. What is left to mend takes the focus. */
  function refuse(text: string) {
    setFailure(text)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
  }

  return { isBusy, failure, isStale, run, refuse, clearFailure: () => setFailure(undefined) }
}
