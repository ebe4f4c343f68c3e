import { Download, Mail } from 'lucide-react'
import { useMemo } from 'react'
import { downloadOriginalEmail } from '../../app/download-original-email.ts'
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

const tallest = 1200

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
      {isOriginal && html && <OriginalMail html={html} />}
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

/**
 * The sanitized HTML of the e-mail in a frame that runs no scripts, while the pages behind its links may run theirs. The policy of this page also
 * applies inside, so nothing is loaded from elsewhere. It has our origin only so that its height and styles can be set from here.
 */
function OriginalMail({ html }: { html: string }) {
  const source = useMemo(() => withoutStyleAttributes(html), [html])
  return (
    <iframe
      className={styles.original}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      title={t('thread.original')}
      srcDoc={`<base target="_blank"><link rel="stylesheet" href="/mail.css">${source}`}
      onLoad={event => show(event.currentTarget)}
    />
  )
}

/** The policy forbids style attributes, but not styles that a script sets. In sanitized HTML no attribute contains a `>`. */
function withoutStyleAttributes(html: string): string {
  return html.replace(/<[a-z][^>]*>/gi, tag => tag.replace(/ style="/gi, ' data-style="'))
}

function show(frame: HTMLIFrameElement): void {
  const body = frame.contentDocument?.body
  if (!body) return
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style!
  frame.style.blockSize = `${Math.min(tallest, body.scrollHeight + 2)}px`
}
