import { Resolver } from 'node:dns/promises'
import type { Config } from '../../core/config.ts'
import type { MailboxOAuth } from '../../core/tables/mails.ts'
import { withTimeout } from '../../lib/timeout.ts'

interface PresetServer {
  host: string
  port: number
  security: 'tls' | 'starttls'
}

/** The servers of a provider, and how one logs in there. */
interface Provider {
  provider: string
  name: string
  imap: PresetServer
  smtp: PresetServer
  auth: 'password' | 'oauth2'
  oauth_provider: 'google' | 'microsoft' | null
  /** What is special about its passwords, as a code that pages have a sentence for. */
  hint: 'app_password' | 'allow_imap' | 'oauth_only' | null
}

const imapOf = (host: string): PresetServer => ({ host, port: 993, security: 'tls' })
const tlsTo = (host: string): PresetServer => ({ host, port: 465, security: 'tls' })
const startTlsTo = (host: string): PresetServer => ({ host, port: 587, security: 'starttls' })

function withPassword(
  provider: string,
  name: string,
  imap: PresetServer,
  smtp: PresetServer,
  hint: Provider['hint'] = null
): Provider {
  return { provider, name, imap, smtp, auth: 'password', oauth_provider: null, hint }
}

/** The ten providers most used. */
export const providers: readonly Provider[] = [
  {
    provider: 'microsoft365',
    name: 'Microsoft 365',
    imap: imapOf('outlook.office365.com'),
    smtp: startTlsTo('smtp.office365.com'),
    auth: 'oauth2',
    oauth_provider: 'microsoft',
    hint: 'oauth_only'
  },
  {
    provider: 'google',
    name: 'Google',
    imap: imapOf('imap.gmail.com'),
    smtp: tlsTo('smtp.gmail.com'),
    auth: 'oauth2',
    oauth_provider: 'google',
    hint: 'app_password'
  },
  {
    provider: 'outlook',
    name: 'Outlook.com',
    imap: imapOf('outlook.office365.com'),
    smtp: startTlsTo('smtp-mail.outlook.com'),
    auth: 'oauth2',
    oauth_provider: 'microsoft',
    hint: 'oauth_only'
  },
  withPassword('icloud', 'iCloud', imapOf('imap.mail.me.com'), startTlsTo('smtp.mail.me.com'), 'app_password'),
  withPassword('yahoo', 'Yahoo', imapOf('imap.mail.yahoo.com'), tlsTo('smtp.mail.yahoo.com'), 'app_password'),
  withPassword('gmx', 'GMX', imapOf('imap.gmx.net'), tlsTo('mail.gmx.net'), 'allow_imap'),
  withPassword('webde', 'WEB.DE', imapOf('imap.web.de'), tlsTo('smtp.web.de'), 'allow_imap'),
  withPassword('ionos', 'IONOS', imapOf('imap.ionos.de'), tlsTo('smtp.ionos.de')),
  withPassword('strato', 'Strato', imapOf('imap.strato.de'), tlsTo('smtp.strato.de')),
  withPassword('fastmail', 'Fastmail', imapOf('imap.fastmail.com'), tlsTo('smtp.fastmail.com'), 'app_password')
]

export const providerNames = providers.map(({ provider }) => provider)

/** Where one signs in, by provider; a company's own tenant may be named instead. */
export const oauthProviders: Record<
  'google' | 'microsoft',
  Pick<MailboxOAuth, 'authorize_url' | 'token_url' | 'scope'>
> = {
  google: {
    authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_url: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/ openid email'
  },
  microsoft: {
    authorize_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope:
      'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access openid email'
  }
}

const byDomain: Record<string, string> = {
  'gmail.com': 'google',
  'googlemail.com': 'google',
  'outlook.com': 'outlook',
  'hotmail.com': 'outlook',
  'live.com': 'outlook',
  'outlook.de': 'outlook',
  'icloud.com': 'icloud',
  'me.com': 'icloud',
  'mac.com': 'icloud',
  'yahoo.com': 'yahoo',
  'yahoo.de': 'yahoo',
  'gmx.de': 'gmx',
  'gmx.net': 'gmx',
  'gmx.at': 'gmx',
  'gmx.ch': 'gmx',
  'web.de': 'webde',
  'fastmail.com': 'fastmail',
  'fastmail.fm': 'fastmail'
}

/** The ends of the names of the servers that receive for a provider's own domains. */
const byMailServer: readonly [string, string][] = [
  ['.protection.outlook.com', 'microsoft365'],
  ['.mx.microsoft', 'microsoft365'],
  ['.google.com', 'google'],
  ['.googlemail.com', 'google'],
  ['.mail.icloud.com', 'icloud'],
  ['.yahoodns.net', 'yahoo'],
  ['.gmx.net', 'gmx'],
  ['.web.de', 'webde'],
  ['.ionos.de', 'ionos'],
  ['.ionos.com', 'ionos'],
  ['.kundenserver.de', 'ionos'],
  ['.rzone.de', 'strato'],
  ['.messagingengine.com', 'fastmail']
]

const lookUpMilliseconds = 2_000

/** The provider of an address, by its domain, else by the servers that receive for it; undefined if none is known within two seconds. */
export async function providerOf(
  { MAIL_DNS_SERVERS: servers = [] }: Pick<Config, 'MAIL_DNS_SERVERS'>,
  address: string
): Promise<string | undefined> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (Object.hasOwn(byDomain, domain)) return byDomain[domain]
  if (servers.includes('off')) return undefined
  const resolver = new Resolver({ timeout: lookUpMilliseconds, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  const found = await withTimeout(lookUpMilliseconds, resolver.resolveMx(domain)).catch(() => [])
  resolver.cancel()
  const hosts = found.map(({ exchange }) => `.${exchange.toLowerCase().replace(/\.$/, '')}`)
  return byMailServer.find(([end]) => hosts.some(host => host.endsWith(end)))?.[1]
}
