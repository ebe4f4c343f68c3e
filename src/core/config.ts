import { connectionFaults, connectionSettings } from '../kit/settings.ts'
import { ConfigurationFaults } from '../lib/configuration-faults.ts'
import { network } from '../lib/networks.ts'
import { withSecretFiles } from '../lib/secret-files.ts'
import {
  choice,
  commaSeparated,
  flag,
  folder,
  InvalidSetting,
  integer,
  list,
  oneLine,
  optional,
  origin,
  type Setting,
  secret,
  text,
  webAddress
} from '../lib/setting.ts'
import { searchLanguages } from '../platform/db/search-languages.ts'
import { databaseSettings } from '../platform/db/settings.ts'
import { fileFaults, fileSettings } from '../platform/files/settings.ts'
import { logLevels } from '../platform/log.ts'
import { dkimFolder, dkimKey, dkimName } from '../platform/mail/dkim.ts'
import { mailFaults, mailSettings } from '../platform/mail/settings.ts'
import { smtpAddress } from '../platform/mail/smtp-address.ts'
import { monitoringSettings } from '../platform/metrics/settings.ts'
import { scanFaults, scanSettings } from '../platform/scanner/settings.ts'
import { smsAddress } from '../platform/texts/sms-address.ts'
import { country, eventSettings, limitSettings } from './limits.ts'

const megabyte = 1024 * 1024

/** All settings. `.env.example` is generated from them. */
export const settings = {
  NODE_ENV: choice(['development', 'production', 'test'], 'development', '"production" turns on the secure defaults.'),
  PORT: integer(3000, 0, 65535, 'The TCP port to listen on; 0 selects any free port.'),
  HOST: text(
    'localhost; all interfaces in production',
    production => (production ? '::' : 'localhost'),
    'The address or host name to listen on.'
  ),
  BASE_URL: text('http://localhost:PORT', () => '', 'The public URL of the service; links are built from it.', baseUrl),
  DATA_DIR: folder('./data', 'The folder for the database, uploads, e-mails and keys.'),
  ...databaseSettings,
  APP_SECRET: secret(
    'The secret that signs tokens and encrypts stored secrets: 32 characters or more. Without it a key file is created in DATA_DIR. ' +
      'Of several, separated by commas, the first signs and encrypts, and all are accepted.',
    appSecrets
  ),
  ADMIN_EMAIL: optional('E-mail address of the first admin, who is created when there is no admin.', email),
  ADMIN_PASSWORD: {
    ...secret('Password of the first admin, 6 to 255 characters; also read by "deskline create-admin".', password),
    verbatim: true
  },
  REFUSE_COMMON_PASSWORDS: flag(
    'false; true in production',
    production => production,
    'Whether staff passwords among the 49,000 most common ones are refused.'
  ),
  DISCLOSE_CODES: flag(
    'true; false in production',
    production => !production,
    'Whether responses contain reset tokens and one-time codes, as the API contract shows.'
  ),
  RESET_URL: text(
    'BASE_URL/reset-password',
    () => '',
    'The page that password reset links lead to, unless the caller passes redirect_url.',
    page
  ),
  STAFF_RESET_URL: text(
    'RESET_URL with population=staff in its query',
    () => '',
    'The page that password reset links of staff lead to.',
    page
  ),
  RESET_URL_ORIGINS: list(
    'In production, the origins (https://example.com) that a caller may name in redirect_url, separated by commas. ' +
      'That of RESET_URL is always allowed.',
    origin
  ),
  MAIL_FROM: text(
    'Deskline <support@localhost>',
    () => 'Deskline <support@localhost>',
    'The sender of e-mails.',
    sender
  ),
  MAIL_REPLY_TO: optional('The Reply-To address of e-mails, if not MAIL_FROM.', sender),
  ...mailSettings,
  NOTIFICATION_DELAY_SECONDS: integer(
    60,
    0,
    3600,
    'Notifications about a ticket are delayed by this time, and events within it are combined into one e-mail.'
  ),
  SMTP_URL: secret(
    'The SMTP server that sends e-mails: smtp://user:password@host:587 (encrypted by STARTTLS) or smtps://…:465. ?tls=off ' +
      'sends unencrypted, as is the default to this machine alone. Without it e-mails are written as files to DATA_DIR/outbox.',
    smtpAddress
  ),
  DKIM_DOMAIN: optional('The domain for which e-mails are signed (DKIM), preferably that of MAIL_FROM.', dkimName),
  DKIM_SELECTOR: optional('The DKIM selector: the public key is in DNS at SELECTOR._domainkey.DKIM_DOMAIN.', dkimName),
  DKIM_PRIVATE_KEY: secret('The RSA key in PEM; line breaks may be written as \\n.', dkimKey),
  DKIM_KEYS: optional(
    'A folder of DKIM keys for further domains, in files named SELECTOR._domainkey.DOMAIN.pem. An e-mail is signed with the ' +
      'key of its sender’s domain or the nearest parent domain, otherwise with that of DKIM_DOMAIN.',
    dkimFolder
  ),
  SMS_URL: secret(
    'The gateway that sends text messages (SMS): https://… for the signed protocol (docs/decisions), or ' +
      'twilio://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?from=+15550100. Without it text messages are written as files to DATA_DIR/outbox.',
    smsAddress
  ),
  SMS_SECRET: secret('The secret that signs requests to an https:// gateway: 32 characters or more.', longSecret),
  DEFAULT_COUNTRY: optional(
    'The country (NL, US) of phone numbers without a country code. Without it such numbers get no text messages.',
    country
  ),
  WEBHOOK_ALLOW_PRIVATE: list(
    'The private networks (10.1.0.0/16, 127.0.0.1) to which webhooks may be sent, over http:// too, separated by commas. ' +
      'Without any, webhooks go only to public addresses over https://.',
    network
  ),
  SSO_ALLOW_PRIVATE: list(
    'The private networks (10.1.0.0/16) in which identity providers for single sign-on may be, over http:// too, separated by commas. ' +
      'Without any, providers are reached only at public addresses over https://, and outside of production on this machine.',
    network
  ),
  WEBHOOK_DELIVERY_DAYS: integer(30, 4, 3650, 'Number of days for which webhook deliveries are stored.'),
  SEARCH_LANGUAGE: choice(
    searchLanguages,
    'english',
    'The language of tickets, for stemming: a search for "printer" then finds "printers". "simple" turns stemming off. Run "deskline search rebuild" after a change.'
  ),
  TEST_CLOCK: flag(
    'false',
    () => false,
    'Whether an admin may set the clock of the desk through /api/test/clock, to test what takes days. Never in production.'
  ),
  LOG_LEVEL: choice(logLevels, 'info', `The log level: ${logLevels.join(', ')}.`),
  ...monitoringSettings,
  MAX_JSON_BYTES: integer(megabyte, 1024, 64 * megabyte, 'Maximum size of a request body without files, in bytes.'),
  MAX_FILES: integer(10, 1, 100, 'Maximum number of files in a request.'),
  MAX_FILE_BYTES: integer(25 * megabyte, 1, 5 * 1024 * megabyte, 'Maximum size of a file, in bytes.'),
  ...fileSettings,
  ...scanSettings,
  ...connectionSettings,
  ...limitSettings,
  ...eventSettings
}

const secretNames = Object.entries<Setting<unknown>>(settings)
  .filter(([, setting]) => setting.secret)
  .map(([name]) => name)

/** What the pools of all processes may have of the embedded server; half as many more are for idempotency keys, and some for jobs and commands. */
export const embeddedConnections = 80

type Settings = typeof settings
export type Config = {
  readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> | ReturnType<Settings[K]['fallback']>
} & {
  readonly production: boolean
}

/**
 * Reads the environment; an empty value counts as none, and a secret may be in the file that `NAME_FILE` names. Throws `ConfigurationFaults`
 * with all errors at once.
 */
export function readConfig(source: Record<string, string | undefined>): Config {
  const { environment, faults } = withSecretFiles(source, secretNames)
  const production = environment.NODE_ENV?.trim() === 'production'
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = environment[name]
    if (!given?.trim()) return [name, setting.fallback(production)]
    try {
      return [name, setting.read(setting.verbatim ? given : given.trim())]
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      faults.push(`${name} ${error.message}${setting.secret ? '' : `, but is ${JSON.stringify(given)}`}`)
      return [name, undefined]
    }
  })
  const config = Object.fromEntries(values) as { -readonly [K in keyof Config]: Config[K] }
  const isGiven = (name: keyof Settings) => Boolean((source[name] || source[`${name}_FILE`])?.trim())

  if (production && config.TEST_CLOCK) faults.push('TEST_CLOCK must not be given in production')
  if (isGiven('ADMIN_EMAIL') !== isGiven('ADMIN_PASSWORD')) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be given together')
  }
  if (config.DATABASE_POOL > embeddedConnections && !isGiven('DATABASE_URL')) {
    faults.push(`DATABASE_POOL must be at most ${embeddedConnections} with the embedded database`)
  }
  if (isGiven('DATABASE_DIRECT_URL') && !isGiven('DATABASE_URL')) {
    faults.push('DATABASE_URL must be given when DATABASE_DIRECT_URL is')
  }
  if (production && isGiven('DATABASE_URL') && !isGiven('APP_SECRET')) {
    faults.push('APP_SECRET must be given in production when DATABASE_URL is')
  }
  if (isGiven('SMTP_URL') && !isGiven('MAIL_FROM')) faults.push('MAIL_FROM must be given when SMTP_URL is')
  if (config.SMS_URL?.kind === 'signed' && !isGiven('SMS_SECRET')) {
    faults.push('SMS_SECRET must be given when SMS_URL begins with https://')
  }
  const dkim = (['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const).map(isGiven)
  if (new Set(dkim).size > 1) faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be given together')
  faults.push(...connectionFaults(config), ...fileFaults(isGiven), ...scanFaults(isGiven))
  faults.push(...mailFaults(isGiven, config.IMAP_URL))
  if (faults.length > 0) throw new ConfigurationFaults(faults)

  config.production = production
  if (!isGiven('S3_PATH_STYLE')) config.S3_PATH_STYLE = isGiven('S3_ENDPOINT')
  config.BASE_URL ||= `http://localhost:${config.PORT}`
  config.RESET_URL ||= `${config.BASE_URL}/reset-password`
  return config
}

/** The text of `docs/settings.md`. */
export function settingsPage(): string {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, { about, shown, secret }]) => {
    const cells = [`\`${name}\`${secret ? ` or \`${name}_FILE\`` : ''}`, shown ?? '', about]
    return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return `# Settings

All settings are environment variables, and all are optional. Every command also reads the file \`.env\` beside \`package.json\` (or the
file named by \`DESKLINE_ENV_FILE\`; blank for none); the environment takes precedence. A secret \`NAME\` can be read from a file instead: set
\`NAME_FILE\` to its path. All invalid settings are reported together at the start. Generated by \`deskline generate\`.

| setting | default | what it is |
|---|---|---|
${rows.join('\n')}
`
}

/** The text of `.env.example`. */
export function envExample(): string {
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const about = setting.about.match(/.{1,110}(\s|$)/g)!.map(line => `# ${line.trim()}\n`)
    const shown = setting.shown ? `# Default: ${setting.shown}\n` : ''
    return `${about.join('')}${shown}#${name}=\n${setting.secret ? `#${name}_FILE=\n` : ''}`
  })
  return `# The settings of Deskline, all optional. Generated by "deskline generate".
# Copy this file to .env: every command reads it. The environment takes precedence over it, as NAME or as NAME_FILE.
# A secret can be read from a file, as containers provide secrets: set NAME_FILE to the path of the file.

${entries.join('\n')}`
}

function baseUrl(given: string): string {
  const { search, hash } = webAddress(given)
  if (search || hash) throw new InvalidSetting('must be an address without ? and #')
  return given.replace(/\/+$/, '')
}

function page(given: string): string {
  webAddress(given)
  return given
}

function appSecrets(given: string): [string, ...string[]] {
  const [first, ...more] = commaSeparated(given)
  if (first !== undefined && [first, ...more].every(secret => secret.length >= 32)) return [first, ...more]
  throw new InvalidSetting('must have at least 32 characters (each, when several are given)')
}

function longSecret(given: string): string {
  if (given.length >= 32) return given
  throw new InvalidSetting('must have at least 32 characters')
}

function email(given: string): string {
  if (given.length <= 255 && /^[^\s@<>,;:"\p{Cc}]+@[^\s@<>,;:"\p{Cc}]+\.[^\s@.<>,;:"\p{Cc}]+$/u.test(given))
    return given
  throw new InvalidSetting('must be an e-mail address')
}

function sender(given: string): string {
  if (/^[^<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(oneLine(given))) return given
  throw new InvalidSetting('must be an e-mail address or a name with one, as in Support <support@example.com>')
}

function password(given: string): string {
  const characters = [...given].length
  if (characters >= 6 && characters <= 255) return given
  throw new InvalidSetting('must have 6 to 255 characters')
}
