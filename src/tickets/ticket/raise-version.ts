import { prepared } from '../../core/db.ts'

/** Raises the version of a locked ticket whose own row does not change: a trigger does so on every write, even if nothing differs. */
export const raiseVersion = prepared((db, p: { id: number }) =>
  db
    .updateTable('tickets')
    .where('id', '=', p.id)
    .set(eb => ({ subject: eb.ref('subject') }))
)
