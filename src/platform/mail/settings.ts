import { integer, secret, Unfit } from '../../lib/setting.ts'

const megabyte = 1024 * 1024

/** How e-mails come in. */
export const mailSettings = {
  MAIL_MAX_BYTES: integer(
    50 * megabyte,
    megabyte,
    1024 * megabyte,
    'Size of an e-mail that comes in at most, as it is sent: files are a third larger then.'
  ),
  MAIL_RETENTION_DAYS: integer(90, 1, 3650, 'The raw messages of e-mails that came in are kept so many days.'),
  MAIL_INBOUND_SECRET: secret(
    'Signs the e-mails that a provider hands over at /api/mail/inbound, as webhooks are signed: whsec_ and at least 24 bytes in base64. ' +
      'Without it none are taken there.',
    inboundSecret
  )
}

function inboundSecret(given: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(given)) return given
  throw new Unfit('must be whsec_ and at least 24 bytes in base64')
}
