import type { ReactNode } from 'react'
import { useMe } from '../../app/me.ts'
import { type Key, t } from '../../lib/strings.ts'
import { instantOf, locale } from '../../lib/times.ts'
import { type Step, Steps } from '../../ui/steps.tsx'
import { Link } from '../navigation.ts'
import { channels, isReason, reasonText } from './held-mail.ts'
import { type LoggedMail, type LoggedMailDetails, type MailStep, shortReason } from './logged-mail.ts'
import styles from './mail-steps.module.css'

interface MailStepsProps {
  mail: Pick<LoggedMail, 'ticket_id' | 'ticket_number'> & { steps: MailStep[] } & Partial<
      Pick<LoggedMailDetails, 'channel' | 'envelope_recipient'>
    >
  /** Whether others of the log can be looked at. */
  seesLog: boolean
}

/** What became of an e-mail, step by step with times and reasons. */
export function MailSteps({ mail, seesLog }: MailStepsProps) {
  const { isAdmin } = useMe()
  return (
    <Steps
      label={t('mail.steps')}
      steps={mail.steps.map(step => ({
        kind: 'moment',
        mark: markOf(step.step),
        text: (
          <>
            <b>{nameOf(step)}</b> <span className={styles.why}>{whyOf(step, mail, { seesLog, isAdmin })}</span>
          </>
        ),
        time: <StepTime at={step.at} />
      }))}
    />
  )
}

function markOf(step: MailStep['step']): Step['mark'] & string {
  if (step === 'bounced' || step === 'refused') return 'failed'
  return step === 'held' || step === 'deferred' || step === 'restored' ? 'late' : 'full'
}

function nameOf({ step, reason, detail }: MailStep): string {
  if (step === 'checked') {
    const verdict = (['pass', 'fail', 'none', 'unknown'] as const).find(each => each === reason) ?? 'unknown'
    return t('mail.step.checked', { verdict: t(`mail.verdict.${verdict}`) })
  }
  return step === 'rule' ? t('mail.step.rule', { name: detail ?? '' }) : t(`mail.step.${step}`)
}

const found: Record<string, Key> = {
  address: 'mail.why.byAddress',
  message_id: 'mail.why.byMessage',
  number: 'mail.why.byNumber',
  reference: 'mail.why.byReference'
}

function whyOf(step: MailStep, mail: MailStepsProps['mail'], may: { seesLog: boolean; isAdmin: boolean }): ReactNode {
  const { reason, detail } = step
  const inTicket = <TicketLink step={step} mail={mail} />
  switch (step.step) {
    case 'received':
      return [
        mail.envelope_recipient && t('mail.why.for', { address: mail.envelope_recipient }),
        mail.channel && t(channels[mail.channel])
      ]
        .filter(Boolean)
        .join(', ')
    case 'checked':
      return null
    case 'found':
      return (
        <>
          {found[reason ?? ''] && t(found[reason!]!)} {inTicket}
        </>
      )
    case 'rule':
      return may.isAdmin && step.rule_id !== undefined ? (
        <Link to="/rules/$ruleId/runs" params={{ ruleId: String(step.rule_id) }} className="link">
          {t('mail.why.rule')}
        </Link>
      ) : (
        t('mail.why.rule')
      )
    case 'ticket':
    case 'reply':
      return (
        <>
          {t(`mail.why.${step.step}`)} {inTicket}
        </>
      )
    case 'held':
      return reason && isReason(reason) ? reasonText({ reason, reason_text: reason }) : t('mail.why.held')
    case 'released':
      return inTicket
    case 'duplicate':
    case 'queued':
      return t(`mail.why.${step.step}`)
    case 'sent':
    case 'delivered':
    case 'deferred':
      return <Said words={[reason ? shortReason(reason) : t(`mail.why.${step.step}`), detail]} />
    case 'sent_again':
    case 'sent_again_as':
      if (step.log_id === undefined || !may.seesLog) return null
      return (
        <Link to="/mail/log/$mailId" params={{ mailId: String(step.log_id) }} className="link">
          {t(step.step === 'sent_again' ? 'mail.why.original' : 'mail.why.copy')}
        </Link>
      )
    default:
      return <Said words={[shortReason(reason), detail]} />
  }
}

/** A reason and the words of the server, each once. */
function Said({ words }: { words: (string | undefined)[] }) {
  const said = [...new Set(words.filter(Boolean))]
  return <bdi>{said.join(' · ')}</bdi>
}

function TicketLink({ step, mail }: { step: MailStep; mail: MailStepsProps['mail'] }) {
  if (step.ticket_id === undefined || step.ticket_id !== mail.ticket_id || mail.ticket_number === null) return null
  return (
    <Link to="/$view/$ticket" params={{ view: 'all', ticket: mail.ticket_number }} className="link">
      {mail.ticket_number}
    </Link>
  )
}

const seconds = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const toTheSecond = new Intl.DateTimeFormat(locale, seconds)
const withDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...seconds })

function StepTime({ at }: { at: string }) {
  const instant = instantOf(at)
  const isToday = instant.toDateString() === new Date().toDateString()
  return <time dateTime={instant.toISOString()}>{(isToday ? toTheSecond : withDay).format(instant)}</time>
}
