import { useEffect, useRef } from 'react'
import type { OpenDraft } from '../../app/use-draft.ts'
import { useSearch } from '../../router/react.tsx'

/** Begins an empty draft with the subject of the address, once: what somebody looked for in the help centre and did not find. */
export function useGivenSubject({ draft, state, change }: OpenDraft): void {
  const { subject } = useSearch<{ subject?: string | number }>()
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current || state === 'loading') return
    isTaken.current = true
    if (state === 'empty' && subject !== undefined) {
      change({ fields: { ...draft.fields, subject: String(subject).slice(0, 255) } })
    }
  }, [draft, state, change, subject])
}
