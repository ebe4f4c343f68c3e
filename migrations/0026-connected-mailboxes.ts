import { type Kysely, sql } from 'kysely'

export const oldestCode = '0002-search'

/** Mailboxes that admins connect in the browser, with their servers and secrets; and the sign-ins at providers that are under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table connected_mailboxes (
      id bigint generated always as identity primary key,
      -- The name that people see as the sender.
      name varchar(100) not null check (name <> ''),
      address varchar(255) not null check (address like '%@%'),
      -- The address as it is compared: in lower case, without its plus part.
      address_key text not null unique,
      -- As in the setting mail_addresses, the public number of the department.
      deptid bigint not null,
      -- The servers, without their secrets; null for an address that only sends, or only receives.
      imap json,
      smtp json,
      auth text not null check (auth in ('password', 'oauth2')),
      -- The client at the provider, without its secret.
      oauth json,
      -- Passwords, client secret and refresh token, encrypted together.
      sealed_secrets text not null,
      signed_in_as text,
      signed_in_at timestamptz,
      -- When the provider ends the sign-in, and when the client secret ends, as far as known.
      sign_in_ends_at timestamptz,
      secret_ends_at timestamptz,
      signature json not null,
      acknowledges boolean not null,
      acknowledgement json not null,
      -- Starts the e-mails of its department.
      is_default boolean not null,
      -- Inactive: its e-mails wait in the mailbox. It still sends.
      is_active boolean not null,
      -- Null for what the desk does with them.
      unknown_senders text check (unknown_senders in ('create', 'verified', 'hold', 'refuse')),
      spam_folder text,
      taken text not null check (taken in ('seen', 'move', 'delete')),
      moved_to text check ((taken = 'move') = (moved_to is not null)),
      -- Older unread e-mails stay where they are; null if all are fetched.
      begins_at timestamptz,
      smtp_failing_since timestamptz,
      smtp_error text,
      -- The server is not tried before.
      smtp_retry_at timestamptz,
      sent_at timestamptz,
      -- When admins were told that it does not work.
      told_at timestamptz,
      version integer default 1 not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create unique index connected_mailboxes_default_index on connected_mailboxes (deptid) where is_default`.execute(
    db
  )
  // A state that a provider sends back counts once, and only in the browser that has asked.
  await sql`
    create table mailbox_sign_ins (
      state_sha256 text primary key,
      cookie_sha256 text not null,
      mailbox_id bigint not null references connected_mailboxes on delete cascade,
      staff_id bigint not null references staff on delete cascade,
      session_id bigint not null,
      sealed_verifier text not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index mailbox_sign_ins_mailbox_index on mailbox_sign_ins (mailbox_id)`.execute(db)
  await sql`create index mailbox_sign_ins_staff_index on mailbox_sign_ins (staff_id)`.execute(db)
  // The connected mailbox from which it was fetched; it stays when that is deleted.
  await sql`alter table inbound_mails add column mailbox_id bigint`.execute(db)
}
