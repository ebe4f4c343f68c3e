import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { Chip } from '../../ui/chip.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import tables from '../admin/tables.module.css'
import { useNavigate } from '../navigation.ts'
import styles from './log-filters.module.css'
import { type LogSearch, outcomes, outcomesOf, spans, verdicts } from './log-search.ts'

/** More are not counted. */
const mostCounted = 50_000

interface LogFiltersProps {
  search: LogSearch
  /** How many e-mails there are; null: more than are counted. */
  total: number | null | undefined
  children: ReactNode
}

/** The search and the chips. All of them are kept in the address. */
export function LogFilters({ search, total, children }: LogFiltersProps) {
  const { way, became, checked, address, days, q = '' } = search
  const own = useOwnAddresses()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  // Another filter may not have the opened row.
  const show = (changes: { [Name in keyof LogSearch]: LogSearch[Name] | undefined }) =>
    void navigate({ to: '/mail/log', search: { ...search, ...changes }, replace: true })
  const choices = <Value,>(values: readonly Value[], name: (value: Value) => string, choose: (value: Value) => void) =>
    values.map((value): MenuItem => ({ label: name(value), onSelect: () => choose(value) }))

  return (
    <div className={tables.filters}>
      <div className={styles.search}>
        <Search size={16} aria-hidden />
        <input
          type="search"
          className="input"
          aria-label={t('mail.search')}
          placeholder={t('mail.search')}
          value={typed}
          maxLength={255}
          onChange={({ target: { value } }) => {
            setTyped(value)
            show({ q: value.trim() === '' ? undefined : value })
          }}
        />
      </div>
      <Chip
        on={way !== undefined}
        onClear={() => show({ way: undefined })}
        menu={choices(['in', 'out'] as const, wayText, way =>
          show({ way, became: became && outcomesOf[way].includes(became) ? became : undefined })
        )}
      >
        {way ? wayText(way) : t('mail.inAndOut')}
      </Chip>
      <Chip
        on={became !== undefined}
        onClear={() => show({ became: undefined })}
        menu={choices(
          way ? outcomesOf[way] : outcomes,
          value => t(`mail.outcome.${value}`),
          became => show({ became })
        )}
      >
        {became ? t(`mail.outcome.${became}`) : t('mail.whatBecame')}
      </Chip>
      {(own.length > 0 || address !== undefined) && (
        <Chip
          on={address !== undefined}
          onClear={() => show({ address: undefined })}
          menu={choices(
            own,
            value => value,
            address => show({ address })
          )}
        >
          {address ?? t('mail.address')}
        </Chip>
      )}
      <Chip
        on={checked !== undefined}
        onClear={() => show({ checked: undefined })}
        menu={choices(
          verdicts,
          value => t(`mail.verdict.${value}`),
          checked => show({ checked })
        )}
      >
        {checked ? t('mail.senderIs', { verdict: t(`mail.verdict.${checked}`) }) : t('mail.senderChecked')}
      </Chip>
      <Chip
        on={days !== undefined}
        onClear={() => show({ days: undefined })}
        menu={choices(
          spans,
          count => t('mail.lastDays', { count }),
          days => show({ days })
        )}
      >
        {days ? t('mail.lastDays', { count: days }) : t('mail.anyTime')}
      </Chip>
      {children}
      {total !== undefined && (
        <span className={tables.total} role="status">
          {total === null ? t('mail.countOver', { count: numberText(mostCounted) }) : t('mail.count', { count: total })}
        </span>
      )}
    </div>
  )
}

/** The addresses at which e-mails come in; only admins know them. */
function useOwnAddresses(): string[] {
  const { isAdmin } = useMe()
  const { data } = useApiQuery('/api/admin/mail/mailboxes/list', {}, { enabled: isAdmin })
  return [...new Set(data?.mailboxes.flatMap(each => ('address' in each ? each.address : [])))].toSorted()
}

function wayText(way: 'in' | 'out'): string {
  return t(way === 'in' ? 'mail.onlyIn' : 'mail.onlyOut')
}
