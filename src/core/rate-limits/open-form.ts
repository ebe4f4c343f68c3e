import type { Services } from '../services.ts'
import { accountKey } from './attempts.ts'
import { countAll, networkLimits } from './rate-limit.ts'

const hourSeconds = 3600
const daySeconds = 86_400

/** Counts a ticket of somebody who is not logged in, before any work. Throws 429 after too many. */
export async function countOpenForm(
  services: Pick<Services, 'config' | 'db' | 'realClock' | 'metrics' | 'keys'>,
  email: string,
  ip: string
): Promise<void> {
  const { MAX_OPEN_TICKETS_PER_NETWORK, MAX_OPEN_TICKETS_PER_ADDRESS } = services.config
  const kind = 'open-form'
  await countAll(services, [
    ...networkLimits(ip, { key: 'open-form-by', kind, most: MAX_OPEN_TICKETS_PER_NETWORK, seconds: hourSeconds }),
    // The owner of the address gets an e-mail each time. The key is a digest, so that the address is not stored for a day.
    {
      key: `open-form-for:${services.keys.digest('open form', accountKey('client', email))}`,
      kind,
      most: MAX_OPEN_TICKETS_PER_ADDRESS,
      seconds: daySeconds
    }
  ])
}
