import { Moon } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { snoozedText } from './snooze-ticket.ts'
import styles from './thread-pane.module.css'
import type { Ticket } from './thread-types.ts'

interface SnoozeBannerProps {
  ticket: Ticket
  /** Undefined without the permission. */
  onChange: (() => void) | undefined
  onWake: (() => void) | undefined
}

/** Over the composer of a snoozed ticket: until when, and why. It can be written in all the same. */
export function SnoozeBanner({ ticket, onChange, onWake }: SnoozeBannerProps) {
  const { snooze } = ticket
  if (!snooze) return null
  return (
    <div className={styles.snoozed} data-snoozed>
      <Banner
        icon={Moon}
        second={onChange && { label: t('thread.changeSnooze'), onClick: onChange }}
        action={onWake && { label: t('thread.wake'), onClick: onWake }}
      >
        <b>{snoozedText(ticket)}.</b> <bdi>{waitingText(snooze)}</bdi>
      </Banner>
    </div>
  )
}

const waitingFor = {
  own: 'thread.waitsForUs',
  customer: 'thread.waitsForClient',
  third_party: 'thread.waitsForOther'
} as const

/** "Waiting for somebody else: Huawei, part 4417"; without a reason nothing of what waits for the desk itself. */
export function waitingText({ kind, reason }: Pick<NonNullable<Ticket['snooze']>, 'kind' | 'reason'>): string {
  if (kind === 'own') return reason
  const what = t(waitingFor[kind])
  return reason ? `${what}: ${reason}` : `${what}.`
}
