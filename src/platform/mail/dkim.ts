import { createPrivateKey } from 'node:crypto'
import { Unfit } from '../../lib/setting.ts'

/**
 * A signing key in PEM, with line breaks that may have been written as `\\n`. RSA alone: with another key nodemailer
 * would leave e-mails unsigned without a word. Throws `Unfit`.
 */
export function dkimKey(given: string): string {
  try {
    const key = createPrivateKey(given.replaceAll('\\n', '\n'))
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' }) as string
  } catch {}
  throw new Unfit('must be an RSA private key in PEM')
}

/** A domain or a selector, which both are names in the DNS. Throws `Unfit`. */
export function dkimName(given: string): string {
  if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(given)) return given
  throw new Unfit('must be letters, digits, - and _ with dots between them')
}
