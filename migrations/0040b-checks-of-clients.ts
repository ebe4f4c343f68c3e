import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/** Each new ticket updates the count of its client, which needs no checks of names and addresses: a trigger runs only for its own columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keep_client() returns trigger language plpgsql as $$
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
      return new;
    end $$`.execute(db)
  await sql`
    create trigger clients_kept
      before insert or update of first_name, last_name, email, two_factor_enabled, two_factor_secret, language on clients
      for each row execute function keep_client()`.execute(db)
  await sql`
    alter table clients drop constraint clients_first_name_check, drop constraint clients_last_name_check,
      drop constraint clients_email_check, drop constraint clients_check, drop constraint clients_language_check`.execute(
    db
  )
}
