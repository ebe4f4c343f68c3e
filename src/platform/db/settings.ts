import { choice, InvalidSetting, integer, secret } from '../../lib/setting.ts'

/** The location of the database, and the limits of its use. */
export const databaseSettings = {
  DATABASE_URL: secret(
    'A served PostgreSQL 15 or newer (postgres://user:password@host:5432/database) to use instead of the embedded one.',
    postgresUrl
  ),
  DATABASE_DIRECT_URL: secret(
    'If DATABASE_URL leads to a pooler in transaction mode: the URL of the same database without the pooler, for migrations, jobs and copies.',
    postgresUrl
  ),
  MIGRATE: choice(
    ['auto', 'never'],
    'auto',
    'Whether "deskline serve" migrates the database when it starts. With "never" it waits for "deskline migrate".'
  ),
  DATABASE_POOL: integer(
    20,
    1,
    500,
    'Maximum number of database connections; half as many more while requests use an Idempotency-Key.'
  ),
  STATEMENT_TIMEOUT_SECONDS: integer(15, 1, 600, 'A database statement that runs longer is cancelled.'),
  MAX_WAITING_REQUESTS: integer(
    200,
    1,
    100_000,
    'If more requests than this wait for a database connection, further requests get a 503 at once.'
  )
}

function postgresUrl(given: string): string {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(given) ?? []
  if (hosts.includes(',') || /[?&]host=[^&]*(,|%2C)/i.test(given)) {
    throw new InvalidSetting(
      'names several hosts: give one address that always leads to the primary, such as that of a proxy'
    )
  }
  if (/^postgres(ql)?:\/\//.test(given) && URL.canParse(given)) return given
  throw new InvalidSetting('must be an address that begins with postgres:// or postgresql://')
}
