import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Nullable, OutputText } from '../../../kit/schemas.ts'
import {
  LogCountField,
  LoggedMailView,
  logFilterFields,
  logFilterOf,
  loggedMailView,
  logLimits,
  logPageFields
} from '../log-schemas.ts'
import { countOfLog, loggedMails, maxCount } from '../logged-mails.ts'

/**
 * Lists every e-mail that came in or went out, the newest first, with what became of it: also those that were held, dropped or refused. Only for staff who
 * see all tickets. A search for words looks through the newest 10,000 e-mails, and through all by their index where those have too few.
 */
export const listMailLog = endpoint({
  path: '/api/admin/mail/log/list',
  aliases: ['/api/admin/mail/log'],
  summary: 'List the e-mails in and out, and what became of them',
  access: { anyOf: ['tickets.view_all'] },
  onlyReads: true,
  body: Type.Object({ ...logFilterFields, ...logPageFields, count: LogCountField }),
  data: Type.Object({
    mails: Type.Array(LoggedMailView),
    next_cursor: Nullable(OutputText('88120')),
    // How many days a row is kept, and the raw e-mail.
    rows_kept_days: Type.Integer({ minimum: 1, examples: [365] }),
    raw_kept_days: Type.Integer({ minimum: 1, examples: [90] }),
    // Only with `count`; null if there are more than 50,000.
    total: Type.Optional(Nullable(Type.Integer({ minimum: 0, examples: [1204] })))
  }),
  errors: [Forbidden],
  async handle({ body, actor, services: { db, clock, config } }) {
    const { cursor, limit = logLimits.fallback, count, ...sent } = body
    const filter = logFilterOf(sent, clock.now())
    const { mails, next_cursor } = await loggedMails(db, actor, filter, {
      limit: Math.min(limit, logLimits.max),
      cursor
    })
    const counted = count === 1 ? await countOfLog(db, actor, filter) : undefined
    const total = counted === undefined ? {} : { total: counted > maxCount ? null : counted }
    const kept = { rows_kept_days: config.MAIL_LOG_DAYS, raw_kept_days: config.MAIL_RETENTION_DAYS }
    return { message: 'Mail log', data: { mails: mails.map(loggedMailView), next_cursor, ...kept, ...total } }
  }
})
