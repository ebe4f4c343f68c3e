import { integer } from '../../lib/setting.ts'

const megabyte = 1024 * 1024

/** How e-mails come in. */
export const mailSettings = {
  MAIL_MAX_BYTES: integer(
    50 * megabyte,
    megabyte,
    1024 * megabyte,
    'Size of an e-mail that comes in at most, as it is sent: files are a third larger then.'
  ),
  MAIL_RETENTION_DAYS: integer(90, 1, 3650, 'The raw messages of e-mails that came in are kept so many days.')
}
