import type { Config } from '../../core/config.ts'
import { type Db, prepared } from '../../core/db.ts'
import { noPasskeysBecause, passkeyHost } from '../../people/passkeys/relying-party.ts'
import type { Finding } from './finding.ts'

/** Whether this desk can have passkeys, and whether those that there are still fit its address. */
export async function checkPasskeys(config: Config, db: Db): Promise<Finding> {
  const about = 'passkeys'
  const reason = noPasskeysBecause(config)
  const host = passkeyHost(config) ?? ''
  const [lost] = await boundElsewhere(db, { host })
  const count = lost!.count
  const others =
    count === 1
      ? 'one passkey is bound to another address than BASE_URL and signs nobody in'
      : `${count} passkeys are bound to another address than BASE_URL and sign nobody in`
  if (reason) return { verdict: count > 0 ? 'warn' : 'ok', about, text: count > 0 ? `${reason}; ${others}` : reason }
  if (count > 0) return { verdict: 'warn', about, text: others }
  return { verdict: 'ok', about, text: `they are bound to ${host}` }
}

const boundElsewhere = prepared((db, p: { host: string }) =>
  db
    .selectFrom('passkeys')
    .where('host', '<>', p.host)
    .select(db => db.fn.countAll<number>().as('count'))
)
