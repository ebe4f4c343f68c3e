import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigurationFaults } from '../lib/configuration-faults.ts'
import { envExample, readConfig, settings } from './config.ts'

test('without settings it serves this machine alone and shows codes as the contract does', () => {
  const config = readConfig({})

  assert.equal(config.PORT, 3000)
  assert.equal(config.HOST, 'localhost')
  assert.equal(config.BASE_URL, 'http://localhost:3000')
  assert.equal(config.RESET_URL, 'http://localhost:3000/reset-password')
  assert.equal(config.DATA_DIR, resolve('data'))
  assert.equal(config.DISCLOSE_CODES, true)
  assert.equal(config.production, false)
  assert.equal(config.DATABASE_URL, undefined)
  assert.equal(config.APP_SECRET, undefined)
})

test('a clock that can be set is refused in production', () => {
  assert.deepEqual(faultsOf({ NODE_ENV: 'production', TEST_CLOCK: '1' }), [
    'TEST_CLOCK must not be given in production'
  ])
  assert.equal(readConfig({ NODE_ENV: 'test', TEST_CLOCK: '1' }).TEST_CLOCK, true)
  assert.equal(readConfig({}).TEST_CLOCK, false)
})

test('production listens on all interfaces and shows no codes, unless it is told otherwise', () => {
  const config = readConfig({ NODE_ENV: 'production' })
  const told = readConfig({ NODE_ENV: ' production ', HOST: '127.0.0.1', DISCLOSE_CODES: 'yes' })

  assert.deepEqual([config.production, config.HOST, config.DISCLOSE_CODES], [true, '::', false])
  assert.deepEqual([told.production, told.HOST, told.DISCLOSE_CODES], [true, '127.0.0.1', true])
})

test('a blank value counts as none', () => {
  assert.deepEqual(readConfig({ PORT: '', HOST: ' ', ADMIN_EMAIL: '', DATABASE_URL: '  ' }), readConfig({}))
})

test('links are built on BASE_URL, and RESET_URL is kept to the letter', () => {
  const config = readConfig({ BASE_URL: 'https://desk.example.com/support/' })

  assert.equal(config.BASE_URL, 'https://desk.example.com/support')
  assert.equal(config.RESET_URL, 'https://desk.example.com/support/reset-password')
  assert.equal(
    readConfig({ RESET_URL: 'https://app.example.com/?lang=en#/reset/' }).RESET_URL,
    'https://app.example.com/?lang=en#/reset/'
  )
})

test('several secrets are told apart by commas, and blanks belong to a password', () => {
  const [old, current] = ['o'.repeat(32), 'c'.repeat(40)]
  const config = readConfig({
    APP_SECRET: `${current}, ${old}`,
    ADMIN_EMAIL: ' a@example.com ',
    ADMIN_PASSWORD: ' blank '
  })

  assert.deepEqual(config.APP_SECRET, [current, old])
  assert.equal(config.ADMIN_EMAIL, 'a@example.com')
  assert.equal(config.ADMIN_PASSWORD, ' blank ')
})

test('all faults are told at once, in plain words, and secrets are not repeated', () => {
  const faults = faultsOf({
    PORT: 'http',
    BASE_URL: 'desk.example.com',
    DATABASE_URL: 'mysql://root:hunter2@db/desk',
    APP_SECRET: 'hunter2',
    ADMIN_EMAIL: 'admin',
    ADMIN_PASSWORD: 'short',
    DISCLOSE_CODES: 'perhaps',
    RESET_URL_ORIGINS: 'https://a.example.com, https://b.example.com/path',
    MAX_FILES: '-1'
  })

  assert.deepEqual(faults, [
    'PORT must be a whole number from 0 to 65535, but is "http"',
    'BASE_URL must be an address that begins with http:// or https://, but is "desk.example.com"',
    'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
    'APP_SECRET must have at least 32 characters (each, when several are given)',
    'ADMIN_EMAIL must be an e-mail address, but is "admin"',
    'ADMIN_PASSWORD must have 6 to 255 characters',
    'DISCLOSE_CODES must be true or false, but is "perhaps"',
    'RESET_URL_ORIGINS must be a list of origins such as https://example.com, separated by commas, but is "https://a.example.com, https://b.example.com/path"',
    'MAX_FILES must be a whole number from 1 to 100, but is "-1"'
  ])
})

test('the metrics have no port unless one is given, and no short token', () => {
  const { METRICS_PORT, METRICS_HOST, METRICS_TOKEN } = readConfig({})

  assert.deepEqual([METRICS_PORT, METRICS_HOST, METRICS_TOKEN], [undefined, '127.0.0.1', undefined])
  assert.equal(readConfig({ METRICS_PORT: '9464' }).METRICS_PORT, 9464)
  assert.deepEqual(faultsOf({ METRICS_TOKEN: 'hunter2', METRICS_PORT: 'main' }), [
    'METRICS_TOKEN must have at least 16 characters, without blanks and accents',
    'METRICS_PORT must be a whole number from 0 to 65535, but is "main"'
  ])
})

test('settings that need each other are asked for', () => {
  const url = 'postgres://db.example.com/desk'

  assert.deepEqual(faultsOf({ ADMIN_PASSWORD: 'secret' }), ['ADMIN_EMAIL and ADMIN_PASSWORD must be given together'])
  assert.deepEqual(faultsOf({ NODE_ENV: 'production', DATABASE_URL: url }), [
    'APP_SECRET must be given in production when DATABASE_URL is'
  ])
  assert.deepEqual(faultsOf({ DATABASE_POOL: '200' }), ['DATABASE_POOL must be at most 80 with the embedded database'])
  assert.equal(readConfig({ DATABASE_POOL: '200', DATABASE_URL: url }).DATABASE_POOL, 200)
  assert.deepEqual(faultsOf({ REQUEST_TIMEOUT_SECONDS: '10', IDLE_TIMEOUT_SECONDS: '15' }), [
    'HEADERS_TIMEOUT_SECONDS must not be more than REQUEST_TIMEOUT_SECONDS',
    'IDLE_TIMEOUT_SECONDS must be more than STATEMENT_TIMEOUT_SECONDS'
  ])
})

test('mail and texts are asked for whole: a sender, a secret, a key with its name', () => {
  const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'desk@example.com' }
  const dkim = {
    DKIM_DOMAIN: 'example.com',
    DKIM_SELECTOR: 'mail._2026',
    DKIM_PRIVATE_KEY: rsaKey.replaceAll('\n', '\\n')
  }

  assert.deepEqual(faultsOf({ SMTP_URL: smtp.SMTP_URL }), ['MAIL_FROM must be given when SMTP_URL is'])
  assert.deepEqual(faultsOf({ SMS_URL: 'https://sms.example.com' }), [
    'SMS_SECRET must be given when SMS_URL begins with https://'
  ])
  assert.deepEqual(faultsOf({ ...smtp, ...dkim, DKIM_SELECTOR: '' }), [
    'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be given together'
  ])
  assert.equal(readConfig({ ...smtp, ...dkim }).DKIM_PRIVATE_KEY, rsaKey)
  assert.equal(readConfig({ SMS_URL: 'twilio://AC1:token@api.twilio.com?from=Desk' }).SMS_SECRET, undefined)
  assert.equal(readConfig({ DEFAULT_COUNTRY: 'nl' }).DEFAULT_COUNTRY, 'NL')
})

test('faults of mail and texts repeat neither passwords nor keys', () => {
  const faults = faultsOf({
    SMTP_URL: 'smtp://desk:hunter2@mail.example.com/inbox',
    MAIL_FROM: 'Desk',
    DKIM_DOMAIN: 'example.com; d=evil.example',
    DKIM_SELECTOR: 'mail',
    DKIM_PRIVATE_KEY: edKey,
    SMS_URL: 'http://hunter2.example.com',
    SMS_SECRET: 'hunter2',
    DEFAULT_COUNTRY: 'XX'
  })

  assert.deepEqual(faults, [
    'MAIL_FROM must be an e-mail address or a name with one, as in Support <support@example.com>, but is "Desk"',
    'SMTP_URL must be an address such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465, with special characters as %40',
    'DKIM_DOMAIN must be letters, digits, - and _ with dots between them, but is "example.com; d=evil.example"',
    'DKIM_PRIVATE_KEY must be an RSA private key in PEM',
    'SMS_URL must begin with https:// unless it leads to this machine: texts carry codes',
    'SMS_SECRET must have at least 32 characters',
    'DEFAULT_COUNTRY must be a country code of two letters, such as NL, but is "XX"'
  ])
})

test('.env.example names every setting and is the generated text', async () => {
  const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8')

  assert.equal(text, envExample())
  for (const name of Object.keys(settings)) assert.match(text, new RegExp(`^#${name}=$`, 'm'))
})

const pem = { type: 'pkcs8', format: 'pem' } as const
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem).toString()
const edKey = generateKeyPairSync('ed25519').privateKey.export(pem).toString()

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigurationFaults)
    return error.faults
  }
  return []
}

test('an address of a database names one host, which leads to the primary', () => {
  const sentence = 'names several hosts: give one address that always leads to the primary, such as that of a proxy'
  const fault = (DATABASE_URL: string) => faultsOf({ DATABASE_URL })

  for (const url of ['postgres://a,b/desk', 'postgres://me:se,cret@a:5432,b:5432/desk', 'postgres:///desk?host=a,b']) {
    assert.deepEqual(fault(url), [`DATABASE_URL ${sentence}`])
  }
  assert.deepEqual(fault('postgres://me:se,cret@a:5432/desk?options=-c%20search_path%3Da,b'), [])
})

test('DATABASE_DIRECT_URL leads past the pooler of DATABASE_URL, and stands for nothing without it', () => {
  const url = 'postgres://db.example.com/desk'

  assert.deepEqual(faultsOf({ DATABASE_DIRECT_URL: url }), ['DATABASE_URL must be given when DATABASE_DIRECT_URL is'])
  assert.deepEqual(faultsOf({ DATABASE_DIRECT_URL: url, DATABASE_URL: url }), [])
})
