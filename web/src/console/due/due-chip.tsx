import { Suspense, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { DueBadge, type DueClock } from './due-badge.tsx'

const DueSheet = lazyPart(async () => {
  const [{ DueSheet }] = await Promise.all([import('./due-sheet.tsx'), loadStrings('due')])
  return { default: DueSheet }
})

/** What is due first, under the subject on phones. It opens the due times in a sheet. */
export function DueChip({ ticket, sla }: { ticket: number; sla: DueClock }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="chip"
        data-property="due"
        aria-haspopup="dialog"
        title={t('thread.keyWhyDue')}
        onClick={() => setOpen(true)}
      >
        <DueBadge sla={sla} />
      </button>
      <Suspense>{isOpen && <DueSheet ticket={ticket} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
