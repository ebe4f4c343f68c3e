import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { t } from '../../lib/strings.ts'
import { usePopover } from '../../ui/popover.ts'
import styles from './sender-verdict.module.css'
import type { Message } from './thread-types.ts'

type Email = NonNullable<Message['email']>
type Authentication = NonNullable<Email['authentication']>

const icons = { pass: ShieldCheck, none: ShieldQuestionMark, unknown: ShieldQuestionMark, fail: ShieldAlert }
const about = {
  pass: 'authentication.aboutPass',
  none: 'authentication.aboutNone',
  unknown: 'authentication.aboutUnknown',
  fail: 'authentication.aboutFail'
} as const

/** How sure it is who wrote an e-mail, beside its sender, and who passed it on; what was checked is behind it. */
export function SenderVerdict({ email: { authentication, forwarded_by } }: { email: Email }) {
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
        {open && <Details told={told} forwarder={forwarder} />}
      </div>
    </>
  )
}

function Details({ told, forwarder }: { told: Authentication; forwarder: string | undefined }) {
  const { verdict, checked_by, dmarc, dkim, spf, arc } = told
  const why = reasonOf(told)
  const checks = Object.entries({ DMARC: dmarc, DKIM: dkim, SPF: spf, ARC: arc }).filter(([, check]) => check)
  return (
    <>
      <p>
        {t(about[verdict])} {why}
      </p>
      {forwarder && <p>{t('authentication.aboutForwarder', { email: forwarder })}</p>}
      {checks.length > 0 && (
        <dl>
          {checks.map(([name, check]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{[check!.result, check!.domain, check!.reason].filter(Boolean).join(' · ')}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={styles.by}>{checkedBy(checked_by)}</p>
    </>
  )
}

function reasonOf({ reason }: Authentication): string {
  switch (reason) {
    case 'several_authors':
    case 'reply_to':
    case 'no_answer':
    case 'too_much':
      return t(`authentication.${reason}`)
    default:
      return ''
  }
}

function checkedBy(host: string | null): string {
  if (host === null) return t('authentication.byNobody')
  return host === 'deskline' ? t('authentication.bySelf') : t('authentication.byHost', { host })
}
