import { useApiQuery } from '../../../app/api-queries.ts'
import { t } from '../../../lib/strings.ts'
import { instantOf } from '../../../lib/times.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Link } from '../../navigation.ts'
import settings from '../settings.module.css'
import { Walk, type WalkStep } from '../walk.tsx'
import styles from './mailboxes.module.css'
import type { Mailbox } from './mailboxes.ts'

const askedEachMilliseconds = 3_000
const newSeconds = 86_400

/** Of an address that was connected within a day: what is there on the way to its first answer, as it comes. */
export function isNewMailbox({ created_at, is_active, imap }: Mailbox): boolean {
  return is_active === 1 && imap !== null && Date.now() - instantOf(created_at).getTime() < newSeconds * 1000
}

/** From the first e-mail to the first answer: each step ticks itself. */
export function FirstAnswer({ mailbox: { address } }: { mailbox: Mailbox }) {
  const { data: log } = useApiQuery(
    '/api/admin/mail/log/list',
    { address, direction: 'in', outcome: 'ticket', limit: 1 },
    { refetchInterval: ({ state }) => !state.data?.mails.length && askedEachMilliseconds }
  )
  const mail = log?.mails[0]
  const { data: detail } = useApiQuery(
    '/api/admin/tickets/detail',
    { id: mail?.ticket_id ?? 0 },
    {
      enabled: typeof mail?.ticket_id === 'number',
      refetchInterval: ({ state }) => (state.data && stateOf(state.data) === 'arrived' ? false : askedEachMilliseconds)
    }
  )
  const state = detail && stateOf(detail)
  const number = mail?.ticket_number
  const steps: WalkStep[] = [
    { key: 'connected', state: 'done', name: t('mailboxes.first.connected'), text: t('mailboxes.first.connectedText') },
    {
      key: 'came',
      state: mail ? 'done' : 'running',
      name: t('mailboxes.first.came'),
      text: mail
        ? t('mailboxes.first.cameText', { from: mail.from ?? '', number: number ?? '', subject: mail.subject })
        : t('mailboxes.first.writeTo', { address }),
      repair: number && state === 'open' && (
        <Link to="/$view/$ticket" params={{ view: 'all', ticket: number }} className={buttonClass('primary', 'sm')}>
          {t('mailboxes.first.open')}
        </Link>
      )
    },
    {
      key: 'answered',
      state: state && state !== 'open' ? 'done' : mail ? 'running' : 'open',
      name: t('mailboxes.first.answered'),
      text: t('mailboxes.first.answeredText')
    },
    {
      key: 'arrived',
      state: state === 'arrived' ? 'done' : state === 'bounced' ? 'failed' : state === 'answered' ? 'running' : 'open',
      name: t('mailboxes.first.arrived'),
      text: t(state === 'bounced' ? 'mailboxes.first.bouncedText' : 'mailboxes.first.arrivedText')
    }
  ]
  return (
    <section className={settings.card} aria-label={t('mailboxes.first.title')}>
      <div className={styles.head}>
        <h2>{t('mailboxes.first.title')}</h2>
      </div>
      <Walk label={t('mailboxes.first.title')} steps={steps} />
    </section>
  )
}

/** How far the first answer of staff has got. */
function stateOf({ messages }: { messages: readonly FirstMessage[] }): 'open' | 'answered' | 'arrived' | 'bounced' {
  const answer = messages.find(({ sender_type }) => sender_type !== 'customer')
  if (!answer) return 'open'
  const states = answer.deliveries?.map(({ state }) => state) ?? []
  if (states.includes('bounced')) return 'bounced'
  return states.some(state => state === 'sent' || state === 'delivered') ? 'arrived' : 'answered'
}

interface FirstMessage {
  sender_type: string
  deliveries?: readonly { state: string }[]
}
