import { type ReactElement, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Picker } from '../../ui/picker.tsx'
import type { Align, TriggerProps } from '../../ui/popover.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import type { LinkKind } from './change-links.ts'
import styles from './linked-tickets.module.css'
import type { Status } from './thread-types.ts'

interface FoundTicket {
  id: number
  ticket_number: string
  subject: string
  status: Status
}

interface LinkPickerProps {
  trigger(props: TriggerProps): ReactElement
  onChoose(other: FoundTicket, kind: LinkKind): void
  /** The tickets that are to be linked. */
  without: number[]
  /** Without words it offers the tickets of this client. */
  client?: number
  /** Offered once for duplicates. */
  onMerge?: () => void
  align?: Align
}

const kinds = ['related', 'blocks', 'duplicate_of'] as const satisfies LinkKind[]
const mostFound = 8

/** Finds a ticket by its number or by words, and chooses how to link to it. */
export function LinkPicker({ trigger, onChoose, without, client, onMerge, align }: LinkPickerProps) {
  const [kind, setKind] = useState<LinkKind>('related')
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const query = useDebounced(typed.trim(), 120)
  const words = useApiQuery(
    '/api/admin/search',
    { query, limit: 20 },
    { enabled: query.length >= 2, placeholderData: before => before, retry: false }
  )
  const theirs = useApiQuery(
    '/api/admin/tickets/list',
    { ...(client === undefined ? {} : { client_id: client }), limit: mostFound + 1 },
    { enabled: isOpen && client !== undefined, staleTime: 60_000 }
  )
  const all = query.length >= 2 ? (words.data?.results ?? []).map(hit => hit.ticket) : (theirs.data?.tickets ?? [])
  const found = new Map<number, FoundTicket>()
  for (const each of all) if (each && !without.includes(each.id) && found.size < mostFound) found.set(each.id, each)
  return (
    <Picker
      label={t('links.add')}
      placeholder={t('links.find')}
      shortcut="L"
      {...(align && { align })}
      emptyText={query.length < 2 ? t('links.find') : t('links.none')}
      trigger={trigger}
      onOpen={() => {
        setOpen(true)
        setTyped('')
      }}
      onSearch={setTyped}
      head={close => (
        <div className={styles.kinds}>
          <SegmentedControl
            label={t('links.relation')}
            value={kind}
            onChange={setKind}
            options={kinds.map(value => ({ value, label: t(`links.choice.${value}`) }))}
          />
          {kind === 'duplicate_of' && onMerge && (
            <button
              type="button"
              className={styles.instead}
              onClick={() => {
                close()
                onMerge()
              }}
            >
              {t('links.mergeInstead')}
            </button>
          )}
        </div>
      )}
      items={[...found.values()].map(({ id, subject, ticket_number, status }) => ({
        id,
        label: subject,
        hint: ticket_number.replace('TIC-', ''),
        icon: <StatusIcon status={status} />
      }))}
      onChange={id => {
        const other = found.get(id)
        if (other) onChoose(other, kind)
      }}
    />
  )
}
