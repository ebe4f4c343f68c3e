import { sql } from 'kysely'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Language } from '../../core/wording/languages.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'

/** Tells a sender without an account, at most once a day, that their mail was refused. */
export async function tellRefused(services: Services, recipient: string, language: Language | null): Promise<void> {
  const { db, clock } = services
  const [told] = await refusedSince(db, { recipient, since: secondsAfter(clock.now(), -daySeconds) })
  if (told) return
  await addToOutbox(services, db, {
    kind: refusalKind,
    channel: 'mail',
    recipient,
    reader: { language },
    email: { template: 'mail-refused', values: {} }
  })
}

const refusalKind = 'mail-refused'
const daySeconds = 86_400

const refusedSince = prepared((db, p: { recipient: string; since: Date }) =>
  db
    .selectFrom('sent_emails')
    .where(sql`lower(recipient)`, '=', sql`lower(${p.recipient})`)
    .where('created_at', '>', p.since)
    .where('kind', '=', refusalKind)
    .select('id')
    .limit(1)
)
