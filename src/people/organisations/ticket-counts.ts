// The number of an organisation's tickets that are not in the trash, kept as that of a client is: a trigger writes each change into
// `organisation_ticket_changes`, since raising a number would make all tickets of one organisation wait for each other; a job adds them up.
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** The query that returns this number, exact in every snapshot. */
export function ticketCountOfOrganisation(db: Db, id: number) {
  return db
    .selectFrom('organisations')
    .where('id', '=', id)
    .select(
      sql<number>`ticket_count
        + coalesce((select sum(tickets) from organisation_ticket_changes where organisation_id = organisations.id), 0)`.as(
        'total'
      )
    )
}

/** The maximum number of organisations that are added up by one statement. */
const batch = 500

/** Adds all changes to the numbers of their organisations, unless somebody else has locked the organisation. */
export async function addUpOrganisationTickets(db: Db): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const [done]: { last: number | null }[] = await addUpSome(db, { after })
    after = done!.last
  }
}

/** Changes are taken away and added by the same statement. Those of a deleted organisation are only taken away. */
const addUpSome = prepared((db: Db, p: { after: number }) => {
  const query = sql<{ last: number | null }>`
    with due as materialized (
        select distinct organisation_id from organisation_ticket_changes where organisation_id > ${p.after}
        order by organisation_id limit ${sql.lit(batch)}),
      locked as materialized (
        select id from organisations where id in (select organisation_id from due) for no key update skip locked),
      free as materialized (
        select organisation_id from due
        where exists (select from locked where id = organisation_id)
          or not exists (select from organisations where id = organisation_id)),
      taken as (
        delete from organisation_ticket_changes as change using free where change.organisation_id = free.organisation_id
        returning change.organisation_id, change.tickets),
      added as (
        update organisations set ticket_count = ticket_count + summed.tickets
        from (select organisation_id, sum(tickets) as tickets from taken group by organisation_id) as summed
        where organisations.id = summed.organisation_id)
    select max(organisation_id) as last from due`
  return { compile: () => query.compile(db) }
})
