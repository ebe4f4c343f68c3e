import { sql } from 'kysely'
import type { AuditActor } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { EventKind } from '../../core/events/catalogue.ts'
import { raiseDepartmentVersion } from './department-lock.ts'

/** The source and target department, by own id and public deptid, and who requested the move. */
export interface Move {
  from: { id: number; deptid: number }
  to: { id: number; deptid: number }
  auditActor: AuditActor
  now: Date
}

/**
 * Moves these tickets if they are still in the department, each with an event on its timeline; a ticket's time of last activity stays.
 * Returns how many it moved. Locks them ordered by id, to avoid deadlocks.
 */
export async function moveTickets(
  db: Db,
  { from, to, auditActor, now }: Move,
  ids: readonly number[]
): Promise<number> {
  const [counted] = await moveThese(db, {
    ids,
    from: from.id,
    to: to.id,
    before: JSON.stringify({ department_id: from.deptid }),
    after: JSON.stringify({ department_id: to.deptid }),
    actorType: auditActor.type,
    actorId: auditActor.id,
    actorName: auditActor.name,
    ip: auditActor.ip,
    requestId: auditActor.requestId,
    now
  })
  return counted!.moved
}

/** Makes members of the source also members of the target, so that nobody sees less of their work, or more than they should. */
export async function moveMembers(db: Db, { from, to, now }: Move): Promise<void> {
  const added = await addMembers(db, { from: from.id, to: to.id, now })
  if (added.length > 0) await raiseDepartmentVersion(db, to.id)
}

/** Moves the tickets that wait for confirmation by their client: they are opened in the target then. */
export async function moveUnconfirmed(db: Db, { from, to }: Move): Promise<void> {
  await moveWaiting(db, { from: from.id, to: to.id })
}

/** The next tickets of a department after that id, those in the trash too. */
export const ticketsOfDepartment = prepared((db, p: { department: number; after: number; limit: number }) =>
  db
    .selectFrom('tickets')
    .where('department_id', '=', p.department)
    .where('id', '>', p.after)
    .select('id')
    .orderBy('department_id')
    .orderBy('id')
    .limit(p.limit)
)

type Moving = { from: number; to: number; now: Date }
type Event = {
  before: string
  after: string
  actorType: AuditActor['type']
  actorId: number | null
  actorName: string
  ip: string | null
  requestId: string | null
}

const moveThese = prepared((db, p: Moving & Event & { ids: readonly number[] }) =>
  db
    .with('locked', db =>
      db
        .selectFrom('tickets')
        .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .where('department_id', '=', p.from)
        .select('id')
        .orderBy('id')
        .forNoKeyUpdate()
    )
    .with('moved', db =>
      db
        .updateTable('tickets')
        .from('locked')
        .whereRef('tickets.id', '=', 'locked.id')
        .set({ department_id: p.to })
        .returning(['tickets.id', 'tickets.client_id', 'tickets.department_id'])
    )
    .with('events', db =>
      db
        .insertInto('events')
        .columns([
          'ticket_id',
          'client_id',
          'department_id',
          'kind',
          'actor_type',
          'actor_id',
          'actor_name',
          'before',
          'after',
          'ip_address',
          'request_id',
          'created_at'
        ])
        .expression(db =>
          db
            .selectFrom('moved')
            .select(eb => [
              'moved.id',
              'moved.client_id',
              'moved.department_id',
              sql.lit<EventKind>('ticket.updated').as('kind'),
              sql<AuditActor['type']>`${p.actorType}::text`.as('actor_type'),
              sql<number | null>`${p.actorId}::bigint`.as('actor_id'),
              eb.val(p.actorName).as('actor_name'),
              sql<string>`${p.before}::json`.as('before'),
              sql<string>`${p.after}::json`.as('after'),
              sql<string | null>`${p.ip}::varchar`.as('ip_address'),
              sql<string | null>`${p.requestId}::varchar`.as('request_id'),
              sql<Date>`${p.now}::timestamptz`.as('created_at')
            ])
        )
    )
    .selectFrom('moved')
    .select(({ fn }) => fn.countAll<number>().as('moved'))
)

const addMembers = prepared((db, p: Moving) =>
  db
    .insertInto('department_members')
    .columns(['department_id', 'staff_id', 'created_at'])
    .expression(db =>
      db
        .selectFrom('department_members')
        .where('department_id', '=', p.from)
        .select([
          sql<number>`${p.to}::bigint`.as('department_id'),
          'staff_id',
          sql<Date>`${p.now}::timestamptz`.as('created_at')
        ])
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('staff_id')
)

const moveWaiting = prepared((db, p: { from: number; to: number }) =>
  db.updateTable('unconfirmed_tickets').where('department_id', '=', p.from).set({ department_id: p.to })
)
