import {
  Ban,
  Check,
  CheckCheck,
  Clock,
  Copy,
  CornerDownLeft,
  CornerUpLeft,
  LoaderCircle,
  Pause,
  Plus,
  Reply,
  X
} from 'lucide-react'
import { t } from '../../lib/strings.ts'
import type { Icon } from '../../ui/icon.tsx'
import { type LoggedMail, shortReason } from './logged-mail.ts'
import styles from './outcome.module.css'

type Became = LoggedMail['outcome']

const icons: Record<Became, Icon> = {
  ticket: Plus,
  reply: Reply,
  held: Pause,
  bounce: CornerDownLeft,
  dropped: Ban,
  duplicate: Copy,
  refused: X,
  received: LoaderCircle,
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  deferred: Clock,
  bounced: CornerUpLeft
}

const tones: Partial<Record<Became, string | undefined>> = {
  held: styles.warn,
  deferred: styles.warn,
  bounced: styles.bad,
  refused: styles.bad
}

/** What became of an e-mail: a glyph, one word, and why in a few more. */
export function Outcome({ mail }: { mail: Pick<LoggedMail, 'outcome' | 'reason' | 'reason_text'> }) {
  const { outcome, reason, reason_text: said } = mail
  const Shown = icons[outcome]
  // A duplicate says the same as the first, and so has its reason.
  const why = outcome === 'duplicate' ? '' : shortReason(reason, said)
  return (
    <span className={[styles.outcome, tones[outcome]].filter(Boolean).join(' ')} title={why && (said ?? undefined)}>
      <Shown size={14} aria-hidden />
      <b>{t(`mail.outcome.${outcome}`)}</b>
      {why && <span className={styles.why}>{why}</span>}
    </span>
  )
}
