import { RotateCw, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { failureOf } from '../../../app/failures.ts'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Banner } from '../../../ui/banner.tsx'
import { verdictOptions } from '../attention.ts'

/** Whether the log is as it was written. It is read as a whole for that, so not at each look. */
export function AuditVerification({ onShow }: { onShow: (row: number) => void }) {
  const verdict = useApiQuery('/api/admin/audit/verify', {}, verdictOptions)
  const again = {
    label: t('admin.verifyAgain'),
    icon: RotateCw,
    busy: verdict.isFetching,
    onClick: () => void verdict.refetch()
  }
  if (verdict.error) {
    const isTooLong = failureOf(verdict.error)?.reason === 'audit_too_long'
    return (
      <Banner tone="warn" action={isTooLong ? undefined : again}>
        {isTooLong ? t('admin.chainTooLong') : t('admin.chainUnknown')}
      </Banner>
    )
  }
  if (!verdict.data) return <Banner icon={ShieldCheck}>{t('admin.chainVerifying')}</Banner>
  const { is_whole, sealed_up_to, broken_id } = verdict.data
  if (is_whole)
    return (
      <Banner tone="good" action={again}>
        <b>{t('admin.chainWhole')}</b> {t('admin.chainRows', { count: sealed_up_to ?? 0 })}
      </Banner>
    )
  return (
    <Banner tone="bad" icon={TriangleAlert} action={{ label: t('admin.showRow'), onClick: () => onShow(broken_id!) }}>
      <b>{t('admin.chainBroken', { row: numberText(broken_id!) })}</b> {t('admin.chainBrokenText')}
    </Banner>
  )
}
