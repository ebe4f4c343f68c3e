import { choice, integer, secret, Unfit } from '../../lib/setting.ts'

/** Where the database is, and how much is asked of it at once. */
export const databaseSettings = {
  DATABASE_URL: secret(
    'A served PostgreSQL 15 or newer (postgres://user:password@host:5432/database) to use instead of the embedded one.',
    postgresUrl
  ),
  DATABASE_DIRECT_URL: secret(
    'Where DATABASE_URL leads through a pooler in transaction mode: the address of the same database past it, for migrations, jobs and copies.',
    postgresUrl
  ),
  MIGRATE: choice(
    ['auto', 'never'],
    'auto',
    'Whether "deskline serve" brings the schema of the database up to date when it starts. With "never" it waits until "deskline migrate" has.'
  ),
  DATABASE_POOL: integer(
    20,
    1,
    500,
    'Connections to the database at most; half as many more while requests come with an Idempotency-Key.'
  ),
  STATEMENT_TIMEOUT_SECONDS: integer(15, 1, 600, 'A database statement that runs longer is stopped.'),
  MAX_WAITING_REQUESTS: integer(
    200,
    1,
    100_000,
    'When more requests wait for a connection to the database, further ones are answered 503 at once.'
  )
}

function postgresUrl(given: string): string {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(given) ?? []
  if (hosts.includes(',') || /[?&]host=[^&]*(,|%2C)/i.test(given)) {
    throw new Unfit('names several hosts: give one address that always leads to the primary, such as that of a proxy')
  }
  if (/^postgres(ql)?:\/\//.test(given) && URL.canParse(given)) return given
  throw new Unfit('must be an address that begins with postgres:// or postgresql://')
}
