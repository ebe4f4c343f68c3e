import { type Kysely, sql } from 'kysely'

export const oldestCode = '0028c-search-places'

/**
 * Each statement that writes a table parses all of its check constraints and trigger conditions anew, whichever columns it writes, while a function
 * is planned once per connection. So one function checks a written ticket, sets its times and counts it; it fails with the errors of the former checks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_row(of text, broken text) returns void language plpgsql as $$
    begin
      raise exception using errcode = 'check_violation', table = of, constraint = broken,
        message = format('new row for relation "%s" violates "%s"', of, broken);
    end $$`.execute(db)
  await countAsTheyAreWritten(db)
  await sql`
    create function keep_ticket() returns trigger language plpgsql as $$
    declare
      broken text := case
        when new.status not in ('Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed') then 'tickets_status_check'
        when new.priority not in ('Low', 'Medium', 'High', 'Critical') then 'tickets_priority_check'
        when new.subject = '' then 'tickets_subject_check'
        when new.message_count < 0 then 'tickets_message_count_check'
        when new.attachment_count < 0 then 'tickets_attachment_count_check'
        when new.merged_into_id = new.id then 'tickets_check'
      end;
    begin
      if broken is not null then
        perform refuse_row('tickets', broken);
      end if;
      if tg_op = 'INSERT' then
        if new.trashed_at is null and new.merged_into_id is null then
          insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
            values (new.department_id, new.status, new.assigned_staff_id, 1);
          if currval('ticket_counts_id_seq') % 512 = 0 then
            perform sum_up_when_due(currval('ticket_counts_id_seq'));
          end if;
        end if;
        return new;
      end if;

      -- What is written down of a thread that has not changed is no change of the ticket.
      if new.unanswered_of is distinct from old.unanswered_of and new.message_count = old.message_count
        and new.updated_at = old.updated_at then
        return new;
      end if;
      new.version := old.version + 1;
      if new.updated_at < old.updated_at then
        new.updated_at := old.updated_at;
      end if;
      if new.status <> old.status then
        new.closed_at := case when new.status = 'Closed' then new.updated_at end;
        if old.status in ('Answered', 'Closed') and new.status in ('Open', 'In Progress', 'Customer-Reply') then
          new.waiting_since := new.updated_at;
        end if;
      end if;
      if new.status <> old.status or new.department_id <> old.department_id
        or new.assigned_staff_id is distinct from old.assigned_staff_id
        or (new.merged_into_id is null) <> (old.merged_into_id is null)
        or (new.trashed_at is null) <> (old.trashed_at is null) then
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
          select * from (values (old.department_id, old.status, old.assigned_staff_id, -1)) as former
            where old.trashed_at is null and old.merged_into_id is null
          union all
          select * from (values (new.department_id, new.status, new.assigned_staff_id, 1)) as changed
            where new.trashed_at is null and new.merged_into_id is null;
        -- Two rows at once: the number may have been drawn by the one before.
        if found and currval('ticket_counts_id_seq') % 512 < 2 then
          perform sum_up_when_due(currval('ticket_counts_id_seq'));
        end if;
      end if;
      return new;
    end $$`.execute(db)

  // No write can come between the former triggers and these, since all of it is one transaction.
  await sql`drop trigger tickets_version on tickets`.execute(db)
  await sql`drop trigger tickets_counted on tickets`.execute(db)
  await sql`drop trigger tickets_counted_anew on tickets`.execute(db)
  await sql`create trigger tickets_kept before insert or update on tickets for each row execute function keep_ticket()`.execute(
    db
  )
  await sql`create trigger tickets_counted after delete on tickets for each row execute function count_tickets()`.execute(
    db
  )
  await sql`drop function raise_ticket_version()`.execute(db)
  await sql`
    alter table tickets drop constraint tickets_status_check, drop constraint tickets_priority_check,
      drop constraint tickets_subject_check, drop constraint tickets_message_count_check,
      drop constraint tickets_attachment_count_check, drop constraint tickets_check`.execute(db)
}

/** Replaces the trigger on the counts, which would run twice for each change of a ticket. */
async function countAsTheyAreWritten(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger ticket_counts_due on ticket_counts`.execute(db)
  await sql`drop function sum_up_when_due()`.execute(db)
  // Every 512th row up to 40 pages, which sums, changes and rows not vacuumed yet usually take; above that ever less often.
  await sql`
    create function sum_up_when_due(number bigint) returns void language plpgsql as $$
    begin
      if number / 512 % greatest(1, (pg_relation_size('ticket_counts') / 8192 - 32) / 8) = 0 then
        perform sum_up_ticket_counts();
      end if;
    end $$`.execute(db)
  await sql`
    create or replace function count_tickets() returns trigger language plpgsql as $$
    begin
      if old.trashed_at is null and old.merged_into_id is null then
        insert into ticket_counts (department_id, status, assigned_staff_id, tickets)
          values (old.department_id, old.status, old.assigned_staff_id, -1);
        if currval('ticket_counts_id_seq') % 512 = 0 then
          perform sum_up_when_due(currval('ticket_counts_id_seq'));
        end if;
      end if;
      return null;
    end $$`.execute(db)
}
