import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// `dl_`, 30 random letters and digits (178 bits), and 6 of a checksum: secret scanners recognise the prefix, and tell by the checksum what is
// none of ours without asking.

const prefix = 'dl_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

export function newApiToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${prefix}${random}${checksumOf(random)}`
}

/** Whether this is to be an API token, genuine or not. */
export function isApiToken(token: string): boolean {
  return token.startsWith(prefix)
}

/** Whether it can be genuine: no other is looked up. */
export function isWellFormed(token: string): boolean {
  return form.test(token) && token.endsWith(checksumOf(token.slice(prefix.length, -checksumLength)))
}

/** The CRC-32 of the random part, in digits of base 62. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
