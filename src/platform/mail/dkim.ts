import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidSetting } from '../../lib/setting.ts'

/**
 * A signing key in PEM, whose line breaks may be written as `\\n`. Only RSA: with other keys nodemailer silently leaves e-mails unsigned. Throws
 * `InvalidSetting`.
 */
export function dkimKey(given: string): string {
  try {
    const key = createPrivateKey(given.replaceAll('\\n', '\n'))
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' }) as string
  } catch {}
  throw new InvalidSetting('must be an RSA private key in PEM')
}

/** A domain or selector, both DNS names. Throws `InvalidSetting`. */
export function dkimName(given: string): string {
  if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(given)) return given
  throw new InvalidSetting('must be letters, digits, - and _ with dots between them')
}

export interface DkimKey {
  domain: string
  /** The public half is at `SELECTOR._domainkey.DOMAIN`. */
  selector: string
  /** RSA, in PEM. */
  privateKey: string
}

/**
 * The keys in a folder, in files named like their DNS record, `SELECTOR._domainkey.DOMAIN.pem`. Names with a leading dot, as containers create
 * them, are ignored. Throws `InvalidSetting`.
 */
export function dkimFolder(folder: string): DkimKey[] {
  const names = namesIn(folder).filter(name => !name.startsWith('.'))
  const keys = names.map(name => {
    const [, selector, domain] = /^(.+)\._domainkey\.(.+)\.pem$/i.exec(name) ?? []
    if (!selector || !domain)
      throw new InvalidSetting('must be a folder of files called SELECTOR._domainkey.DOMAIN.pem')
    return { selector: dkimName(selector), domain: dkimName(domain).toLowerCase(), privateKey: keyIn(folder, name) }
  })
  const twice = keys.find((key, at) => keys.findIndex(({ domain }) => domain === key.domain) !== at)
  if (twice) throw new InvalidSetting(`must have one key for each domain, and has several for ${twice.domain}`)
  return keys
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    throw new InvalidSetting('must be a folder that can be read')
  }
}

function keyIn(folder: string, name: string): string {
  try {
    return dkimKey(readFileSync(join(folder, name), 'utf8'))
  } catch {
    throw new InvalidSetting(`must have RSA private keys in PEM that can be read, but ${name} is none`)
  }
}

/** The key for this sender: that of its domain or the nearest parent domain, else the first. */
export function dkimKeyFor(keys: readonly DkimKey[], sender: string): DkimKey | undefined {
  const domain = /@([^\s<>@]+)>?$/.exec(sender.trim())?.[1]?.toLowerCase() ?? ''
  const fitting = keys.filter(key => `.${domain}`.endsWith(`.${key.domain.toLowerCase()}`))
  return fitting.toSorted((one, other) => other.domain.length - one.domain.length)[0] ?? keys[0]
}
