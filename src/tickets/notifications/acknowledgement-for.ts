import { type Db, prepared } from '../../core/db.ts'
import type { MailPerson, TextsByLanguage } from '../../core/tables/mails.ts'
import { mailboxOfMail } from '../../mail/mailboxes/mailbox-of-mail.ts'

/** What the mailbox to which a ticket came says to whoever opened it, in each language; empty for what the desk says. */
export async function acknowledgementFor(db: Db, ticket: number): Promise<TextsByLanguage> {
  const [mail] = await openingMail(db, { ticket })
  if (!mail) return {}
  const { to, cc } = mail.recipients as { to: MailPerson[]; cc: MailPerson[] }
  const named = [...to, ...cc].map(({ email }) => email)
  const recipients = mail.envelope_recipient ? [mail.envelope_recipient, ...named] : named
  return (await mailboxOfMail(db, mail, recipients))?.acknowledgement ?? {}
}

const openingMail = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages as message')
    .innerJoin('message_emails as mailed', 'mailed.message_id', 'message.id')
    .leftJoin('inbound_mails as mail', 'mail.id', 'mailed.mail_id')
    .where('message.ticket_id', '=', p.ticket)
    .select(['mailed.recipients', 'mail.envelope_recipient', 'mail.mailbox_id'])
    .orderBy('message.id')
    .limit(1)
)
