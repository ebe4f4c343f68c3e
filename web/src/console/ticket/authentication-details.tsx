import { t } from '../../lib/strings.ts'
import styles from './authentication-details.module.css'
import type { Message } from './thread-types.ts'

export type Authentication = NonNullable<NonNullable<Message['email']>['authentication']>

const about = {
  pass: 'authentication.aboutPass',
  none: 'authentication.aboutNone',
  unknown: 'authentication.aboutUnknown',
  fail: 'authentication.aboutFail'
} as const

/** The authentication results of an e-mail. `forwarder`: the address that forwarded it. */
export function AuthenticationDetails({ told, forwarder }: { told: Authentication; forwarder?: string | undefined }) {
  const { verdict, checked_by, dmarc, dkim, spf, arc } = told
  const why = reasonOf(told)
  const checks = Object.entries({ DMARC: dmarc, DKIM: dkim, SPF: spf, ARC: arc }).filter(([, check]) => check)
  return (
    <div className={styles.checks}>
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
    </div>
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
