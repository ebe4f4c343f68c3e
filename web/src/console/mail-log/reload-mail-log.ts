import { reloadQueries } from '../../app/reload-queries.ts'

/** After something was done with an e-mail of the log; it may be held now, or not any more. */
export const reloadMailLog = () =>
  reloadQueries(
    '/api/admin/mail/log/list',
    '/api/admin/mail/log/detail',
    '/api/admin/mail/held/list',
    '/api/admin/mail/held/detail'
  )
