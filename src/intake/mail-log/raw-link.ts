import type { Session } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { OriginalNotFound, originalLink } from '../mailbox/original-mail.ts'
import { requiredLoggedMail } from './logged-mail-detail.ts'

/** A link to the raw message of an e-mail of the log. Throws `Forbidden`, `LoggedMailNotFound` and `OriginalNotFound`. */
export async function rawLink(services: Services, session: Session, id: number) {
  if (session.actor.population !== 'staff') throw OriginalNotFound()
  const mail = await requiredLoggedMail(services.db, session.actor, id)
  if (mail.mail_id === null || mail.is_secret) throw OriginalNotFound()
  return await originalLink(services, session, mail.mail_id)
}
