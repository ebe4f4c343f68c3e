import { Download, Mail } from 'lucide-react'
import { Suspense } from 'react'
import { downloadOriginalEmail } from '../../app/download-original-email.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { setAsSent, useIsAsSent } from '../preferences.ts'
import styles from './message-email.module.css'
import type { Message } from './thread-types.ts'

/** Few read e-mails like this. */
const OriginalMail = lazyPart(async () => ({ default: (await import('./original-mail.tsx')).OriginalMail }))

/** The e-mail of a message: sender and recipients, the quoted text, and the original HTML. */
export function MessageEmail({ message }: { message: Message }) {
  const { email, quoted } = message
  const html = message.format ? null : message.html
  const { id: me } = useMe()
  const sender = senderOf(message)
  const isOriginal = useShowsOriginal(message)
  if (!email && !quoted && !html) return null
  return (
    <>
      {quoted && (
        <details className={styles.quoted}>
          <summary>{t('ui.earlierText')}</summary>
          <MessageText text={quoted} />
        </details>
      )}
      {isOriginal && html && (
        <Suspense>
          <OriginalMail
            html={html}
            sender={sender}
            name={nameOf(message)}
            isVerified={email?.authentication?.verdict === 'pass' && !email.forwarded_by}
            mailId={(email?.original_path && email.mail_id) || undefined}
          />
        </Suspense>
      )}
      {html && (
        <div className={styles.choice}>
          <SegmentedControl
            label={t('thread.howShown')}
            value={isOriginal ? 'sent' : 'text'}
            onChange={shown => setAsSent(me, sender, shown === 'sent')}
            options={[
              { value: 'text', label: t('thread.asText') },
              { value: 'sent', label: t('thread.asSent') }
            ]}
          />
          {isOriginal && <span>{t('thread.staysAsSent', { name: nameOf(message) })}</span>}
        </div>
      )}
      {(email || html) && (
        <p className={styles.facts}>
          <Mail size={12} aria-hidden />
          {email && <bdi>{factsOf(email)}</bdi>}
          {email?.mail_id && email.original_path && (
            <Button
              variant="quiet"
              size="sm"
              icon={Download}
              onClick={() => void downloadOriginalEmail(email.mail_id!)}
            >
              {t('thread.saveOriginal')}
            </Button>
          )}
        </p>
      )}
    </>
  )
}

/** Whether an e-mail is shown as it was sent, in place of its text. */
export function useShowsOriginal(message: Message): boolean {
  const isAsSent = useIsAsSent(useMe().id, senderOf(message))
  return isAsSent && !message.format && Boolean(message.html)
}

function senderOf(message: Message): string {
  return message.email?.from?.email ?? nameOf(message)
}

function factsOf({ from, cc, is_automatic, omitted, linked_ticket }: NonNullable<Message['email']>): string {
  return [
    t('thread.byEmail', { from: from?.email ?? t('thread.unknownSender') }),
    cc.length > 0 && t('thread.emailCc', { people: listText(cc.map(person => person.name || person.email)) }),
    is_automatic === 1 && t('thread.emailAutomatic'),
    omitted.length > 0 && t('thread.emailOmitted', { files: listText(omitted.map(({ file_name }) => file_name)) }),
    linked_ticket && t('thread.emailNames', { number: linked_ticket.ticket_number })
  ]
    .filter(Boolean)
    .join(' · ')
}
