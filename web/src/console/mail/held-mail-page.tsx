import { MailCheck, MailQuestionMark } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import tables from '../admin/tables.module.css'
import { type HeldMail, isReason, reasonLabel, senderOf } from '../mail-log/held-mail.ts'
import { Link, useNavigate } from '../navigation.ts'
import { HeldBulkBar } from './held-bulk-bar.tsx'
import { discard } from './held-mail-actions.ts'
import type { HeldSearch } from './held-search.ts'
import { MailTabs } from './mail-tabs.tsx'
import { useHeldCounts } from './use-held-counts.ts'
import { type HeldSelection, useHeldSelection } from './use-held-selection.ts'
import { useMayDecide } from './use-may-decide.ts'

/** E-mails that are held back until somebody releases or discards them. */
export function HeldMailPage() {
  const { reason, q = '' } = useSearch<HeldSearch>()
  const mayDecide = useMayDecide()
  const search = useDebounced(q.trim(), 250)
  const mails = useApiPages('/api/admin/mail/held/list', {
    ...(reason !== undefined && isReason(reason) && { reason }),
    ...(search !== '' && { search }),
    limit: 50
  })
  const pages = mails.data?.pages
  const rows = pages?.flatMap(({ mails }) => mails)
  const selection = useHeldSelection(rows ?? [])
  const isFiltered = reason !== undefined || search !== ''

  return (
    <Page title={t('held.title')} lede={t('held.lede')} tabs={<MailTabs />} tabsLabel={t('held.title')}>
      <Filters reason={reason} q={q} found={pages?.[0]?.total} />
      <QueryState query={{ ...mails, data: rows }} skeleton={<Skeleton rows={5} />} failedTitle={t('held.failedTitle')}>
        {rows => {
          if (rows.length === 0)
            return (
              <StateMessage
                icon={isFiltered ? MailQuestionMark : MailCheck}
                title={t(isFiltered ? 'held.noMatch' : 'held.empty')}
                text={t(isFiltered ? 'held.noMatchText' : 'held.emptyText')}
                action={
                  <Link to={isFiltered ? '/mail/held' : '/all'} className="btn">
                    {t(isFiltered ? 'held.showAll' : 'held.toTickets')}
                  </Link>
                }
              />
            )
          return (
            <Table
              label={t('held.title')}
              columns={mayDecide ? [choiceOf(selection, rows), ...columns()] : columns()}
              rows={rows}
              rowKey={({ id }) => id}
              density="tall"
              rowMenuLabel={({ subject, id }) => t('held.actionsFor', { name: subject || `#${id}` })}
              rowMenu={({ id }) =>
                mayDecide ? [{ label: t('held.discard'), danger: true, onSelect: () => void discard([id]) }] : []
              }
            />
          )
        }}
      </QueryState>
      <MorePages pages={mails} label={t('held.more')} />
      {mayDecide && <HeldBulkBar selection={selection} />}
    </Page>
  )
}

/** The checkbox of a row, or of all rows in the head of the table. */
function choiceOf({ ids, toggle, set }: HeldSelection, rows: readonly HeldMail[]): Column<HeldMail> {
  const all = rows.map(({ id }) => id)
  const label: ReactNode = (
    <Checkbox
      hideLabel
      label={t('held.chooseAll')}
      checked={ids.size === all.length}
      mixed={ids.size > 0 && ids.size < all.length}
      onChange={chosen => set(chosen ? all : [])}
    />
  )
  return {
    key: 'choice',
    label,
    cell: ({ id, subject }) => (
      <Checkbox
        hideLabel
        label={t('held.choose', { name: subject || `#${id}` })}
        checked={ids.has(id)}
        onChange={() => toggle(id)}
      />
    )
  }
}

/** The search and the filter, which are kept in the address. Hidden if nothing is held. */
function Filters({ reason, q, found }: { reason: string | undefined; q: string; found: number | undefined }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  const counts = useHeldCounts()
  const reasons = counts?.reasons ?? []
  if (reasons.length === 0 && reason === undefined && q === '') return null
  const isThere = reason === undefined || reasons.some(each => each.reason === reason)
  const shown = isThere ? reasons : [...reasons, { reason, count: 0 }]
  const show = (search: HeldSearch) => void navigate({ to: '/mail/held', search, replace: true })

  return (
    <div className={tables.filters}>
      <TextField
        label={t('held.search')}
        type="search"
        value={typed}
        maxLength={200}
        onChange={text => {
          setTyped(text)
          show({ ...(reason !== undefined && { reason }), ...(text.trim() !== '' && { q: text }) })
        }}
      />
      <SelectField
        label={t('held.why')}
        value={reason ?? ''}
        options={[
          { value: '', label: t('held.anyReason') },
          ...shown.map(({ reason, count }) => ({ value: reason, label: `${reasonLabel(reason)} (${count})` }))
        ]}
        onChange={chosen => show({ ...(chosen !== '' && { reason: chosen }), ...(q !== '' && { q }) })}
      />
      {found !== undefined && (
        <span className={tables.total} role="status">
          {t('held.count', { count: found })}
        </span>
      )}
    </div>
  )
}

const columns = (): Column<HeldMail>[] => [
  {
    key: 'mail',
    label: t('held.email'),
    cell: ({ id, subject, from }) => (
      <>
        <Link to="/mail/held/$mailId" params={{ mailId: String(id) }} className={tables.name}>
          <bdi>{subject || t('held.noSubject')}</bdi>
        </Link>
        <span className={tables.below}>
          <bdi>{senderOf(from)}</bdi>
        </span>
      </>
    )
  },
  { key: 'reason', label: t('held.why'), cell: ({ reason }) => <span className="t2">{reasonLabel(reason)}</span> },
  { key: 'received', label: t('held.received'), cell: ({ received_at }) => <Time at={received_at} style="short" /> }
]
