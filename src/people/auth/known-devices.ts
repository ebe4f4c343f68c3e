import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { accountKey } from '../../core/rate-limits/attempts.ts'
import { isWithin } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import type { Device } from '../../core/sessions/sessions.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { Population } from '../../core/tables/columns.ts'
import { coarseNetworkOf, networksOf } from '../../lib/network.ts'
import { programOf } from '../../lib/user-agent.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { type AnyAccount, recipientOf } from './accounts.ts'

type Needed = Pick<Services, 'clock' | 'config' | 'jobs' | 'keys' | 'realClock'>

/** By what an e-mail can end the session that it tells of. */
export const endSignInPath = '/end-sign-in'
const linkSeconds = 7 * 86_400
/** Whoever knows the password must not flood the owner, who has been warned by then. */
const mostInADay = 5

/**
 * Remembers the device on which somebody has signed in, within the transaction that opens the session, and tells them by e-mail of one on which
 * they have not signed in before. The first sign-in to an account is no news. A device is known by a refresh token that it was given, or by its
 * network and kind of program, of which only a digest is kept.
 */
export async function noteDevice(
  services: Needed,
  db: Db,
  account: AnyAccount,
  device: Device,
  { session, tokenDigests }: { session: number; tokenDigests: readonly string[] }
): Promise<void> {
  const { keys, realClock } = services
  const { population, id } = account
  const digests = keys.digests('device', nameOf(device))
  const seen = { population, account: id, digest: digests[0]!, digests, tokens: [...tokenDigests] }
  const [noted] = await note(db, { ...seen, now: realClock.now() })
  if (!noted!.is_new || !noted!.has_others) return
  if ((await settingsOf(db)).settings.new_device_emails === 0) return
  const ofToday = { key: `warned:${accountKey(population, account.email)} devices`, kind: 'warned' }
  if (!(await isWithin({ db, realClock }, { ...ofToday, most: mostInADay, seconds: 86_400 }))) return
  await sendNewDeviceEmail(services, db, account, device, { session, device: noted!.id })
}

async function sendNewDeviceEmail(
  { clock, config, jobs, keys, realClock }: Needed,
  db: Db,
  account: AnyAccount,
  { ip, userAgent }: Device,
  opened: { session: number; device: number }
): Promise<void> {
  const { population, id } = account
  const program = programOf(userAgent)
  const token = keys.sign('end-sign-in', { ...opened, population, account: id }, realClock.now(), linkSeconds)
  await addToOutbox({ clock, config, jobs, keys }, db, {
    kind: 'new-device',
    channel: 'mail',
    recipient: await recipientOf(db, account),
    clientId: population === 'client' ? id : undefined,
    reader: account,
    email: {
      template: 'new-device',
      values: {
        known_program: program !== undefined,
        'device.browser': program?.browser ?? '',
        'device.system': program?.system ?? '',
        'device.network': coarseNetworkOf(ip),
        'end.link': `${config.BASE_URL}${endSignInPath}?token=${token}`,
        'end.valid_for': linkSeconds
      }
    }
  })
}

/** Versions of programs change, and are no new device. */
function nameOf({ ip, userAgent }: Device): string {
  return `${networksOf(ip)[0]} ${userAgent.replace(/[\d._]+/g, '').slice(0, 255)}`
}

interface Seen {
  population: Population
  account: number
  digest: string
  /** Also those under former application secrets. */
  digests: string[]
  /** Of a refresh token that the device has sent. */
  tokens: string[]
  now: Date
}

/** Of two sign-ins on a new device at once, one finds it new. */
const note = prepared((db, p: Seen) => ({
  compile: () => {
    const own = (table: string) =>
      sql`(${sql.ref(table)}.user_type, ${sql.ref(table)}.user_id) = (${p.population}::text, ${p.account}::bigint)`
    return sql<{ id: number; is_new: boolean; has_others: boolean }>`
      insert into known_devices (user_type, user_id, digest, seen_at)
      values (${p.population}::text, ${p.account}::bigint, ${p.digest}::text, ${p.now}::timestamptz)
      on conflict (user_type, user_id, digest) do update set seen_at = excluded.seen_at
      returning id, xmax = 0
        and not exists (select from known_devices former where ${own('former')} and former.digest = any(${p.digests}::text[]))
        and not exists (select from refresh_tokens where token = any(${p.tokens}::text[]) and ${own('refresh_tokens')}) as is_new,
        exists (select from known_devices other where ${own('other')}) as has_others`.compile(db)
  }
}))
