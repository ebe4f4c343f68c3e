import type { Config } from '../core/config.ts'
import { isLoopback } from '../lib/loopback.ts'

/** What the settings may expose unintentionally, one sentence each, for the log at the start. */
export function insecureSettings(config: Config): string[] {
  const { production, DISCLOSE_CODES, HOST, BASE_URL } = config
  const isPublic = !isLoopback(HOST)
  return [
    DISCLOSE_CODES &&
      (production || isPublic) &&
      '!!! DISCLOSE_CODES is on: whoever names an e-mail address gets the token that resets its password !!!',
    !production &&
      isPublic &&
      'NODE_ENV is not production, but HOST is more than this machine: the safe defaults are off',
    production &&
      isPlainPublic(BASE_URL) &&
      'BASE_URL begins with http://: passwords and tokens travel unencrypted unless a proxy encrypts them'
  ].filter(sentence => typeof sentence === 'string')
}

/** What the settings break in production, one sentence. */
export function localhostLinks({ production, BASE_URL }: Config): string | undefined {
  const isMisleading = production && new URL(BASE_URL).hostname === 'localhost'
  return isMisleading ? 'BASE_URL is not set: the links in e-mails lead to localhost' : undefined
}

function isPlainPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}
