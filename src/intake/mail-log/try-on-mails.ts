import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { asUnreadMail } from '../../platform/mail-reading/read-head.ts'
import { type Facts, judge } from '../../tickets/conditions/judge-in-memory.ts'
import type { ProposedRule } from '../../tickets/rules/proposed-rule.ts'
import type { Trial } from '../../tickets/rules/try-rule.ts'
import { notChecked } from '../mailbox/authentication.ts'
import { recipientsOf } from '../mailbox/department-for.ts'
import { mailFacts, recipientFact } from '../mailbox/mail-facts.ts'
import { readStored, startOf } from '../mailbox/process-mail.ts'
import { requiredLoggedMail } from './logged-mail-detail.ts'
import { type LoggedMail, loggedBefore } from './logged-mails.ts'

/**
 * Tries a rule about e-mails that arrive on one of the mail log, whose raw message is read again while it is kept, or on the last that came in: those by
 * what the log has of them, so that they have neither headers nor a spam score. Nothing is done. Throws `LoggedMailNotFound`.
 */
export async function tryOnMails(
  services: Services,
  actor: StaffActor,
  rule: ProposedRule,
  { last, mail: id }: { last: number | undefined; mail: number | undefined }
): Promise<Trial[]> {
  const { db, clock } = services
  if (id === undefined && last === undefined)
    throw InvalidFields({ message: 'A rule about e-mails is tried by mail_id or last', errors: ['mail_id'] })
  const mails =
    id === undefined
      ? await loggedBefore(db, { direction: 'in' }, Number.MAX_SAFE_INTEGER, last!)
      : [await requiredIncoming(db, actor, id)]
  const own = await ownAddresses(services)
  const trials: Trial[] = []
  for (const mail of mails) {
    const facts = id === undefined ? loggedFacts(mail, own) : await factsOf(services, mail, own)
    const { fits, groups } = judge(rule.conditions, facts, clock.now())
    trials.push({
      ticket_id: null,
      mail_id: mail.id,
      event_id: null,
      outcome: fits ? 'would_run' : 'no_match',
      conditions: groups.map(group => group.map(({ field, op, actual, fits }) => ({ field, op, actual, fits }))),
      actions: fits ? rule.actions.map(action => ({ [Object.keys(action)[0]!]: 'done' })) : [],
      changes: [],
      emails: [],
      followed_by: []
    })
  }
  return trials
}

async function requiredIncoming(db: Db, actor: StaffActor, id: number): Promise<LoggedMail> {
  const mail = await requiredLoggedMail(db, actor, id)
  if (mail.direction === 'in') return mail
  throw InvalidFields({ message: 'mail_id is an e-mail that went out', errors: ['mail_id'] })
}

async function factsOf(services: Services, mail: LoggedMail, own: ReadonlySet<string>): Promise<Facts> {
  const [stored] = mail.mail_id === null ? [] : await storedMail(services.db, { id: mail.mail_id })
  if (!stored) return loggedFacts(mail, own)
  const read = await readStored(services, stored)
  const given = typeof read === 'string' ? asUnreadMail(await startOf(services, stored)) : read
  const authentication = mail.authentication ?? notChecked()
  const facts = mailFacts(stored, given, { recipients: recipientsOf(stored, given), own, authentication })
  // Whoever answers are to go to counts as the sender, as the log has it.
  return mail.sender === null ? facts : { ...facts, 'event.sender': mail.sender.toLowerCase() }
}

function loggedFacts(mail: LoggedMail, own: ReadonlySet<string>): Facts {
  return {
    'event.sender': mail.sender?.toLowerCase() ?? null,
    'event.recipient': recipientFact(mail.recipients.split('\n').filter(Boolean), own),
    'event.subject': mail.subject,
    'event.size': mail.size_bytes,
    'event.verdict': mail.verdict
  }
}

const storedMail = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .innerJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .where('mail.id', '=', p.id)
    .select(['mail.id', 'mail.size_bytes', 'mail.envelope_sender', 'mail.envelope_recipient', 'file.file_path'])
)
