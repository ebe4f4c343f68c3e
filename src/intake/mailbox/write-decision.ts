import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { MailState } from '../../core/tables/mails.ts'
import { logDecision } from '../../mail/log/log-incoming.ts'
import { type NewStep, stepOf } from '../../mail/log/mail-steps.ts'
import type { MailDecision, MailDetails } from './mail-decision.ts'

/** Writes the decision into the row of a mail, which the transaction has locked. The former reason to hold it is kept. */
export async function writeDecision(
  db: Db,
  { recipients, steps = [], aboutMessageId = null, ...decided }: MailDecision & { id: number; now: Date; by?: NewStep }
): Promise<void> {
  const authentication = decided.authentication ? JSON.stringify(decided.authentication) : null
  const written = { ...nothing, ...decided, authentication }
  await writeRow(db, written)
  await logDecision(
    db,
    {
      ...written,
      mailId: decided.id,
      outcome: decided.state,
      authentication: decided.authentication ?? null,
      recipients,
      aboutMessageId,
      steps: [
        ...(decided.by ? [decided.by] : []),
        ...(decided.authentication ? [stepOf('checked', decided.authentication.verdict)] : []),
        ...steps,
        { ...stepOf(decided.state, decided.reason), ...(decided.ticketId ? { ticket_id: decided.ticketId } : {}) }
      ]
    },
    decided.now
  )
  // The genuine mail may still come under the same Message-ID.
  if (decided.authentication?.verdict === 'fail') await forgetKeys(db, { id: decided.id })
}

const forgetKeys = prepared((db: Db, p: { id: number }) =>
  db.updateTable('inbound_mails').where('id', '=', p.id).set({ date_key: null, body_key: null })
)

const nothing = {
  reason: null,
  sender: null,
  senderName: null,
  subject: null,
  authentication: null,
  isAutomatic: false,
  clientId: null,
  ticketId: null,
  messageId: null,
  sideMessageId: null
} satisfies Omit<Required<MailDetails>, LoggedOnly> & { reason: null }

type LoggedOnly = 'recipients' | 'steps' | 'aboutMessageId'

interface Written extends Omit<Required<MailDetails>, 'authentication' | LoggedOnly> {
  state: Exclude<MailState, 'received'>
  reason: string | null
  authentication: string | null
  id: number
  now: Date
}

const writeRow = prepared((db, p: Written) =>
  db.updateTable('inbound_mails').where('id', '=', p.id).set({
    held_reason: sql<string | null>`case when state = 'held' then reason else held_reason end`,
    state: p.state,
    reason: p.reason,
    sender: p.sender,
    sender_name: p.senderName,
    subject: p.subject,
    authentication: p.authentication,
    is_automatic: p.isAutomatic,
    client_id: p.clientId,
    ticket_id: p.ticketId,
    message_id: p.messageId,
    side_message_id: p.sideMessageId,
    settled_at: p.now
  })
)
