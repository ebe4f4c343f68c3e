import { Download } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { failureText } from '../../../app/failures.ts'
import { MorePages } from '../../../app/more-pages.tsx'
import { QueryState } from '../../../app/query-state.tsx'
import { useApiPages } from '../../../app/use-api-pages.ts'
import { ownAddress } from '../../../lib/own-address.ts'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { useSearch } from '../../../router/react.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import tables from '../tables.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRows } from './audit-rows.tsx'
import { type AuditFilter, bodyOf } from './audit-search.ts'
import { AuditVerification } from './audit-verification.tsx'

/** The audit log, newest first. Its filters are in the address. */
export function AuditPage() {
  const navigate = useNavigate()
  const filter = useSearch<AuditFilter>()
  const entries = useApiPages('/api/admin/audit/list', { ...bodyOf(filter), limit: 50 })
  const [isExporting, setExporting] = useState(false)
  const pages = entries.data?.pages
  const total = pages?.[0]?.total
  const setFilter = (next: AuditFilter) => void navigate({ to: '/audit', search: next })

  async function download() {
    setExporting(true)
    try {
      const { url } = await post('/api/admin/audit/export', bodyOf(filter))
      location.assign(ownAddress(url))
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    } finally {
      setExporting(false)
    }
  }

  return (
    <AdminPage
      title={t('admin.auditLog')}
      lede={t('admin.auditLede')}
      actions={
        <Button icon={Download} busy={isExporting} onClick={() => void download()}>
          {t('admin.downloadCsv')}
        </Button>
      }
    >
      <AuditVerification onShow={id => setFilter({ row: id })} />
      <div className={tables.filters}>
        <AuditFilters filter={filter} onChange={setFilter} />
        {total !== undefined && (
          <span className={tables.total}>{t('admin.rowsFound', { count: total, shown: numberText(total) })}</span>
        )}
      </div>
      <QueryState query={{ ...entries, data: pages }} skeleton={<Skeleton rows={8} />}>
        {pages => {
          const rows = pages.flatMap(({ entries }) => entries)
          if (rows.length === 0) return <StateMessage title={t('admin.noRows')} text={t('admin.noRowsText')} />
          return <AuditRows entries={rows} opened={filter.row} onFilter={setFilter} filter={filter} />
        }}
      </QueryState>
      <MorePages pages={entries} label={t('admin.more')} />
    </AdminPage>
  )
}
