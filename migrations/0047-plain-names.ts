import { type Kysely, sql } from 'kysely'

export const oldestCode = '0047-plain-names'

/** Tables and columns get the names that the code uses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table letters rename to outbox_messages',
    'alter index letters_pkey rename to outbox_messages_pkey',
    'alter index letters_queued_index rename to outbox_messages_queued_index',
    'alter index letters_client_index rename to outbox_messages_client_index',
    'alter index letters_settled_index rename to outbox_messages_settled_index',
    'alter table sent_emails rename column letter_id to outbox_message_id',
    'alter index sent_emails_letter rename to sent_emails_outbox_message_index',
    'alter table clients rename column ticket_letters to ticket_emails',
    'alter table clients rename column unproven_letters to unverified_emails_sent',
    'alter table staff rename column assignment_letters to assignment_emails',
    'alter table staff rename column mention_letters to mention_emails',
    'alter table staff rename column customer_reply_letters to customer_reply_emails',
    'alter table guesses rename to rate_limits',
    'alter index guesses_resets_index rename to rate_limits_resets_index',
    'alter table sign_in_failures rename column told_at to reported_at'
  ])
    await sql.raw(statement).execute(db)
}
