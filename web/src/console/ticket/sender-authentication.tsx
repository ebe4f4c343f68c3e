import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { usePopover } from '../../ui/popover.ts'
import { type Authentication, AuthenticationDetails } from './authentication-details.tsx'
import styles from './sender-authentication.module.css'
import type { Message } from './thread-types.ts'

type Email = NonNullable<Message['email']>

const icons = { pass: ShieldCheck, none: ShieldQuestionMark, unknown: ShieldQuestionMark, fail: ShieldAlert }

/** How certain the sender of an e-mail is, and who forwarded it. A click shows what was checked. */
export function SenderAuthentication({ email: { authentication, forwarded_by } }: { email: Email }) {
  return (
    <>
      {forwarded_by && (
        <span className={styles.forwarded}>
          {t('authentication.forwardedBy', { name: forwarded_by.name || forwarded_by.email })}
        </span>
      )}
      {authentication && <Verdict told={authentication} forwarder={forwarded_by?.email} />}
    </>
  )
}

function Verdict({ told, forwarder }: { told: Authentication; forwarder: string | undefined }) {
  const { id, floating, triggerProps, open } = usePopover('dialog')
  const { verdict } = told
  const Shown = icons[verdict]
  return (
    <>
      <button type="button" className={`${styles.verdict} ${verdict === 'fail' ? styles.fail : ''}`} {...triggerProps}>
        <Shown size={12} aria-hidden />
        {t(`authentication.${verdict}`)}
      </button>
      <div
        ref={floating}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('authentication.title')}
        className={styles.details}
      >
        {open && <AuthenticationDetails told={told} forwarder={forwarder} />}
      </div>
    </>
  )
}
