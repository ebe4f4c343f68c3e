import type { Services } from '../../core/services.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { baseAddress, supportAddresses } from './support-addresses.ts'

/** The addresses of the desk itself, normalized by `baseAddress`. */
export async function ownAddresses({ db, config }: Pick<Services, 'db' | 'config'>): Promise<Set<string>> {
  const configured = [config.MAIL_FROM, config.MAIL_REPLY_TO]
    .flatMap(sender => mailboxesIn(sender))
    .map(({ email }) => email)
  const addresses = (await supportAddresses(db)).map(({ address }) => address)
  return new Set([...configured, ...addresses].map(baseAddress))
}
