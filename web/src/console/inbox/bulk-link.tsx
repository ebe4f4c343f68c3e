import { Link2 } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { LinkPicker } from '../ticket/link-picker.tsx'
import css from './bulk-bar.module.css'
import type { BulkChange } from './bulk-change.ts'
import type { ListedTicket } from './ticket-list.ts'

interface BulkLinkProps {
  selected: readonly ListedTicket[]
  isBusy: boolean
  onChange(change: BulkChange): void
}

/** Links the selected tickets to one other: all reports of one incident. */
export function BulkLink({ selected, isBusy, onChange }: BulkLinkProps) {
  return (
    <LinkPicker
      without={selected.map(({ id }) => id)}
      trigger={trigger => (
        <button {...trigger} type="button" className="btn quiet sm" disabled={isBusy} data-bulk="l">
          <Link2 size={16} aria-hidden />
          <span className={css.label}>{t('inbox.link')}</span>
        </button>
      )}
      onChoose={(other, link) => onChange({ action: 'link', other, link })}
    />
  )
}
