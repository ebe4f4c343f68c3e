import type { Services } from '../services.ts'
import { enabledLimits, networkLimits, type RateLimit } from './rate-limit.ts'

// Messages sent at a stranger's request cost money and bother the recipient.

const hourSeconds = 3600
const daySeconds = 86_400

/** The limits of a text that a caller at `ip` requests. */
export function textBudgets(
  { config, keys }: Pick<Services, 'config' | 'keys'>,
  { number, ip }: { number: string; ip: string }
): RateLimit[] {
  const kind = 'text-budget'
  const perHour = { key: 'texts-by', kind, most: config.MAX_TEXTS_PER_NETWORK, seconds: hourSeconds }
  return enabledLimits([
    ...networkLimits(ip, perHour),
    // A digest, so that the number is not stored for a day.
    {
      key: `texts-to:${keys.digest('texts to', number)}`,
      kind,
      most: config.MAX_TEXTS_PER_NUMBER_A_DAY,
      seconds: daySeconds
    },
    { key: 'texts', kind, most: config.MAX_TEXTS_A_DAY, seconds: daySeconds }
  ])
}

/** The limit of e-mails to an account, by its e-mail address (see `accountKey`). */
export function emailBudget({ config }: Pick<Services, 'config'>, account: string): RateLimit[] {
  const most = config.MAX_EMAILS_PER_ADDRESS_A_DAY
  return enabledLimits([
    { key: emailsKey(account), kind: 'email-budget', most, seconds: daySeconds, exempt: 'network' }
  ])
}

export function emailsKey(account: string): string {
  return `emails-to:${account}`
}
