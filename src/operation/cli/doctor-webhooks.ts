import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Finding } from './finding.ts'

/** Whether webhooks reach their receivers. */
export async function checkWebhooks(db: Db): Promise<Finding> {
  const { rows } = await sql<{ on: number; failing: number; disabled: number; late: number }>`
    select count(*) filter (where is_active) as on,
      count(*) filter (where is_active and failing_since is not null) as failing,
      count(*) filter (where not is_active and disabled_reason is not null) as disabled,
      (select count(*) from webhook_deliveries
        where settled_at is null and state = 'queued' and created_at < now() - interval '10 minutes') as late
    from webhooks`.execute(db)
  const { on, failing, disabled, late } = rows[0]!
  return {
    verdict: failing + disabled + late > 0 ? 'warn' : 'ok',
    about: 'webhooks',
    text:
      `${on} are on, of which ${failing} fail; ${disabled} were turned off because of that; ` +
      `${late} deliveries have waited for more than 10 minutes`
  }
}
