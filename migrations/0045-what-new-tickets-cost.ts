import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * A new ticket is counted with its client. Where a table has any trigger before updates, each update makes all of its generated columns anew, whatever
 * they are made of; so the trigger that looks at the names makes the text by which clients are found, when what it is made of is written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_client() returns trigger language plpgsql as $$
    declare
      broken text := case
        when new.first_name = '' then 'clients_first_name_check'
        when new.last_name = '' then 'clients_last_name_check'
        when new.email = '' then 'clients_email_check'
        when new.two_factor_enabled and new.two_factor_secret is null then 'clients_check'
        when new.language not in ('en', 'de') then 'clients_language_check'
      end;
    begin
      if broken is not null then
        perform refuse_row('clients', broken);
      end if;
      new.search_text := lower(new.first_name || ' ' || new.last_name || E'\n' || new.email || E'\n' || new.company_name
        || E'\n' || new.phone_number);
      return new;
    end $$`.execute(db)
  await sql`
    create or replace trigger clients_kept
      before insert or update of first_name, last_name, email, company_name, phone_number, search_text, two_factor_enabled,
        two_factor_secret, language on clients
      for each row execute function keep_client()`.execute(db)
  await sql`alter table clients alter column search_text drop expression`.execute(db)
  // Room on each page for the next version of a row, which then need not be written into the indexes: one of them holds each three letters of the text.
  await sql`alter table clients set (fillfactor = 85)`.execute(db)

  // A message that names a client names that of its ticket, which cannot be another one, and goes with the ticket when the client goes.
  await sql`alter table ticket_messages drop constraint ticket_messages_client_id_fkey`.execute(db)
}
