import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * A new ticket updates the count of its client. If a table has any trigger before updates, each update computes all of its generated columns anew,
 * whatever they depend on; so the trigger that checks names now also sets the search text of clients, only when one of its columns is written.
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
  // Free space on each page lets the next version of a row stay there (HOT), without new index entries: the trigram index has many for each row.
  await sql`alter table clients set (fillfactor = 85)`.execute(db)

  // The client of a message is always that of its ticket, so the message is deleted with the ticket when the client is.
  await sql`alter table ticket_messages drop constraint ticket_messages_client_id_fkey`.execute(db)
}
