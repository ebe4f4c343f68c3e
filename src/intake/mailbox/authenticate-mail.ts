import type { Services } from '../../core/services.ts'
import type { Authentication, InboundMailRow } from '../../core/tables/mails.ts'
import { isPublic } from '../../lib/networks.ts'
import { MailNotChecked } from '../../platform/mail-reading/mail-checker.ts'
import type { MailReader } from '../../platform/mail-reading/mail-reader.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { notChecked, trustedResults, verdictOfOwnChecks, verdictOfTrustedHost, withoutPass } from './authentication.ts'
import { openRaw } from './raw-mail.ts'

type Mail = Pick<InboundMailRow, 'id' | 'peer_address' | 'peer_name' | 'envelope_sender'> & { file_path: string }

/**
 * How certain it is who wrote a stored mail: by the results of a trusted server, else by our own checks. If a lookup fails the result is
 * unknown, which is no reason to lose a mail.
 */
export async function authenticationOf(
  services: Services & { mailReader: MailReader },
  mail: Mail,
  read: ReadMail
): Promise<Authentication> {
  const trusted = services.config.MAIL_TRUSTED_AUTH_HOSTS
  if (!read.from) return notChecked()
  const results = trustedResults(read.authenticationResults, trusted)
  const told = results && verdictOfTrustedHost(results, read.from.email)
  const isSettled = told?.verdict === 'pass' || told?.verdict === 'fail'
  const own = isSettled ? undefined : await ownChecks(services, mail, read, read.from.email)
  const found = own && (!told || own.verdict === 'pass' || own.verdict === 'fail') ? own : (told ?? notChecked())
  return read.isOneAuthor ? found : withoutPass(found, 'several_authors')
}

/** Undefined if nothing could be checked. */
async function ownChecks(
  { files, config, log, mailReader }: Services & { mailReader: MailReader },
  mail: Mail,
  read: ReadMail,
  author: string
): Promise<Authentication | undefined> {
  const { MAIL_DNS_SERVERS: servers, MAIL_TRUSTED_AUTH_HOSTS: trusted } = config
  // Behind our own relays the peer is one of these, not the sender's server.
  const isFromOutside = trusted.length === 0 && mail.peer_address !== null && isPublic(mail.peer_address)
  const peer = isFromOutside ? { address: mail.peer_address!, name: mail.peer_name ?? '' } : undefined
  if (servers.includes('off') || (!peer && !read.isSigned)) return undefined
  const raw = await openRaw({ files }, mail.file_path)
  if (!raw) throw new Error(`The raw message ${mail.file_path} of the mail ${mail.id} is missing`)
  try {
    const checks = await mailReader.check(raw, {
      author,
      peer,
      sender: mail.envelope_sender ?? '',
      host: new URL(config.BASE_URL).hostname,
      servers
    })
    return verdictOfOwnChecks(checks, { trusted })
  } catch (error) {
    if (!(error instanceof MailNotChecked)) throw error
    log.warn({ mailId: mail.id, detail: error.message }, 'The sender of an e-mail could not be authenticated')
    return notChecked('too_much')
  }
}
