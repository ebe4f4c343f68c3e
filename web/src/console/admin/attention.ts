import { BookOpen, CalendarClock, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { useEachApiQuery } from '../../app/use-each-api-query.ts'
import { t } from '../../lib/strings.ts'
import { dateOf, instantOf, numberText } from '../../lib/times.ts'
import type { Icon } from '../../ui/icon.tsx'
import type { Address, Target } from '../addresses.ts'
import { attentionText } from './attention-text.ts'
import { lastErrorText } from './mailbox-status-text.ts'

/** Something of the desk that waits for a decision. */
export interface Finding {
  id: string
  /** The page that its mark stands at. */
  page: Address
  icon: Icon
  title: string
  /** The consequence. */
  text: string
  action: { label: string; target: Target }
}

const fiveMinutes = 300_000

/** The whole audit log is read for its verdict, so rarely. */
export const verdictOptions = { staleTime: fiveMinutes, gcTime: fiveMinutes, refetchOnWindowFocus: false }

/** What waits for a decision of an admin. With `verifies` the audit log is looked at, else only a verdict that is there already. */
export function useAttention(verifies = false): Finding[] {
  const enabled = useMe().isAdmin
  const mailboxes = useApiQuery('/api/admin/mail/mailboxes/list', {}, { enabled })
  const webhooks = useApiQuery('/api/admin/webhooks/list', {}, { enabled })
  const rules = useApiQuery('/api/admin/rules/list', {}, { enabled })
  const programs = useApiQuery('/api/admin/service-accounts/list', {}, { enabled })
  const articles = useApiQuery('/api/admin/kb/articles/list', { publishing_asked: 1, limit: 1 }, { enabled })
  const verdict = useApiQuery('/api/admin/audit/verify', {}, { ...verdictOptions, enabled: enabled && verifies })
  const lacking = useCalendarsWithoutDays(enabled)
  const findings: Finding[] = []
  for (const mailbox of mailboxes.data?.mailboxes ?? [])
    if (mailbox.state === 'failing')
      findings.push({
        id: `mailbox ${mailbox.id ?? mailbox.name}`,
        page: '/settings/email',
        icon: TriangleAlert,
        title: t('admin.mailboxFails', { user: mailbox.source === 'operator' ? mailbox.user : mailbox.address }),
        text: mailbox.last_error ? lastErrorText(mailbox) : t('admin.mailboxFailsText'),
        action: {
          label: t('admin.openMailbox'),
          target: mailbox.id
            ? { to: '/settings/email/$mailboxId', params: { mailboxId: String(mailbox.id) } }
            : { to: '/settings/email', search: { setting: 'mailboxes' } }
        }
      })
  for (const { id, url, disabled_reason } of webhooks.data?.webhooks ?? [])
    if (disabled_reason)
      findings.push({
        id: `webhook ${id}`,
        page: '/webhooks',
        icon: TriangleAlert,
        title: t('admin.webhookStopped', { host: new URL(url).host }),
        text: disabled_reason,
        action: {
          label: t('admin.openWebhook'),
          target: { to: '/webhooks/$webhookId', params: { webhookId: String(id) } }
        }
      })
  for (const { id, name, is_active, paused_reason, attention } of rules.data?.rules ?? [])
    if (is_active && (paused_reason === 'budget' || attention.length > 0))
      findings.push({
        id: `rule ${id}`,
        page: '/rules',
        icon: TriangleAlert,
        title: t(paused_reason === 'budget' ? 'admin.rulePaused' : 'admin.ruleNeedsAttention', { name }),
        text: paused_reason === 'budget' ? t('admin.rulePausedText') : attention.map(attentionText).join('; '),
        action: { label: t('admin.openRule'), target: { to: '/rules/$ruleId', params: { ruleId: String(id) } } }
      })
  for (const { id, name, access_ends_at } of programs.data?.service_accounts ?? [])
    if (access_ends_at && isWithinTwoWeeks(access_ends_at))
      findings.push({
        id: `program ${id}`,
        page: '/api-access',
        icon: CalendarClock,
        title: t('admin.programEnds', { name, day: dateOf(instantOf(access_ends_at)) }),
        text: t('admin.programEndsText'),
        action: {
          label: t('admin.openApiAccess'),
          target: { to: '/api-access/$accountId', params: { accountId: String(id) } }
        }
      })
  if (articles.data?.total)
    findings.push({
      id: 'articles',
      page: '/knowledge',
      icon: BookOpen,
      title: t('admin.articlesAsked', { count: articles.data.total }),
      text: t('admin.articlesAskedText'),
      action: { label: t('admin.openKnowledge'), target: { to: '/knowledge' } }
    })
  for (const { id, name, year, policies } of lacking)
    findings.push({
      id: `calendar ${id}`,
      page: '/hours',
      icon: CalendarClock,
      title: t('admin.calendarWithoutDays', { name, year: String(year) }),
      text: t('admin.calendarWithoutDaysText', { count: policies }),
      action: {
        label: t('admin.addDays'),
        target: { to: '/hours/$calendarId', params: { calendarId: String(id) }, search: { days: year } }
      }
    })
  if (verdict.data && !verdict.data.is_whole)
    findings.push({
      id: 'audit',
      page: '/audit',
      icon: ShieldCheck,
      title: t('admin.chainBroken', { row: numberText(verdict.data.broken_id!) }),
      text: t('admin.chainBrokenText'),
      action: { label: t('admin.showRow'), target: { to: '/audit', search: { row: verdict.data.broken_id } } }
    })
  return findings
}

function isWithinTwoWeeks(at: string): boolean {
  const left = instantOf(at).getTime() - Date.now()
  return left > 0 && left <= 14 * 86_400_000
}

/** In the last quarter of a year: the calendars that SLA policies count by, and that have no days of the next one yet. */
function useCalendarsWithoutDays(isAdmin: boolean) {
  const now = new Date()
  const year = now.getFullYear() + 1
  const enabled = isAdmin && now.getMonth() >= 9
  const calendars = useApiQuery('/api/admin/calendars/list', {}, { enabled }).data?.calendars ?? []
  const policies = useApiQuery('/api/admin/sla-policies/list', {}, { enabled }).data?.policies ?? []
  const used = calendars
    .filter(({ is_always, is_archived }) => !is_always && !is_archived)
    .map(({ id, name }) => ({
      id,
      name,
      year,
      policies: policies.filter(
        ({ is_active, is_archived, targets }) =>
          is_active && !is_archived && targets.some(({ calendar_id }) => calendar_id === id)
      ).length
    }))
    .filter(({ policies }) => policies > 0)
  const details = useEachApiQuery(
    '/api/admin/calendars/detail',
    used.map(({ id }) => ({ id }))
  )
  return used.filter((_, at) => {
    const days = details[at]?.calendar.days
    return days && !days.some(({ date }) => date.startsWith(`${year}-`))
  })
}
