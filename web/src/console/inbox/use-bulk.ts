import { useState } from 'react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { priorityLabel, statusLabel } from '../../ui/glyph.tsx'
import { toast } from '../../ui/toast.tsx'
import { type BulkChange, type BulkOutcome, changeMany, undoMany } from './bulk.ts'
import type { ListedTicket } from './ticket-list.ts'
import { changerOf } from './use-live-list.ts'
import type { Selection } from './use-selection.ts'

/** Changes of many tickets: how far the one under way is, and one line that says what came of it. */
export function useBulk(selection: Selection, onChanged: () => void) {
  const [progress, setProgress] = useState<number>()

  async function run(tickets: readonly ListedTicket[], change: BulkChange) {
    setProgress(0)
    const outcome = await changeMany(tickets, change, setProgress)
    setProgress(undefined)
    onChanged()
    selection.clear()
    tell(outcome, change)
  }

  function tell({ done, failed }: BulkOutcome, change: BulkChange) {
    const text = [done.length > 0 ? t(...doneText(change, done.length)) : '', failed.length > 0 ? leftText(failed) : '']
    toast({
      text: text.filter(Boolean).join(' '),
      undo: done.length > 0 ? () => undo(done, change) : undefined,
      action:
        failed.length > 0
          ? { label: t('inbox.showIt'), onClick: () => selection.only(failed.map(({ ticket }) => ticket.id)) }
          : undefined
    })
  }

  async function undo(former: readonly ListedTicket[], change: BulkChange) {
    const refused = await undoMany(former, change)
    onChanged()
    announce(t('inbox.undone'))
    if (refused > 0) toast({ text: t('inbox.notUndone', { count: refused }), tone: 'bad' })
  }

  return { progress, run }
}

function doneText(change: BulkChange, count: number): Parameters<typeof t> {
  switch (change.action) {
    case 'status':
      return ['inbox.doneStatus', { count, status: statusLabel(change.status) }]
    case 'priority':
      return ['inbox.donePriority', { count, priority: priorityLabel(change.priority) }]
    case 'assign': {
      const name = change.assignee && nameOf(change.assignee)
      return name ? ['inbox.doneAssign', { count, name }] : ['inbox.doneFreed', { count }]
    }
    case 'department':
      return ['inbox.doneDepartment', { count, name: change.department.name }]
    case 'tag':
      return ['inbox.doneTag', { count, name: change.tag.name }]
    case 'delete':
      return ['inbox.doneTrash', { count }]
  }
}

/** What the service says of a ticket that has another version by now. */
const changedMeanwhile = /in the meantime/

/** Why some were left as they are: who came before, or the service's words where all have the same reason. */
function leftText(failed: BulkOutcome['failed']): string {
  const count = failed.length
  if (failed.every(({ message }) => changedMeanwhile.test(message))) {
    const name = changerOf(failed.map(({ ticket }) => ticket.id))
    return name ? t('inbox.leftChangedBy', { count, name }) : t('inbox.leftChanged', { count })
  }
  const reasons = new Set(failed.map(({ message }) => message))
  const [reason] = reasons
  return reasons.size === 1 && reason ? t('inbox.leftFor', { count, reason }) : t('inbox.left', { count })
}
