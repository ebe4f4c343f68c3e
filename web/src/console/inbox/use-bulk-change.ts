import { useState } from 'react'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import type { BulkChange } from './bulk-change.ts'
import type { ListedTicket } from './ticket-list.ts'
import type { Selection } from './use-selection.ts'

/** Bulk changes are loaded lazily, because they are not needed at once. */
export const loadBulkModule = () => import('./bulk-change.ts')

/** Runs bulk changes: the progress, and a toast with the result. */
export function useBulkChange(selection: Selection, onChanged: (ids: readonly number[]) => void) {
  const [progress, setProgress] = useState<number>()

  async function run(tickets: readonly ListedTicket[], change: BulkChange) {
    setProgress(0)
    try {
      const { changeMany, doneText, leftText } = await loadBulkModule()
      const { done, failed } = await changeMany(tickets, change, setProgress)
      onChanged(done.map(({ id }) => id))
      selection.clear()
      const text = [done.length > 0 && t(...doneText(change, done.length)), failed.length > 0 && leftText(failed)]
      toast({
        text: text.filter(Boolean).join(' '),
        undo: done.length > 0 ? () => undo(done, change) : undefined,
        action:
          failed.length > 0
            ? { label: t('inbox.showIt'), onClick: () => selection.only(failed.map(({ ticket }) => ticket.id)) }
            : undefined
      })
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    } finally {
      setProgress(undefined)
    }
  }

  async function undo(former: readonly ListedTicket[], change: BulkChange) {
    const { undoMany } = await loadBulkModule()
    const refused = await undoMany(former, change)
    onChanged(former.map(({ id }) => id))
    announce(t('inbox.undone'))
    if (refused > 0) toast({ text: t('inbox.notUndone', { count: refused }), tone: 'bad' })
  }

  return { progress, run }
}
