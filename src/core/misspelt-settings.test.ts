import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from './config.ts'
import { misspeltSettings } from './misspelt-settings.ts'

test('a setting with a typing error is told with the one that is meant', () => {
  const meant = (name: string) => /meant as (\w+)$/.exec(misspeltSettings({ [name]: 'x' })[0] ?? '')?.[1]

  assert.deepEqual(
    ['SMTP_ULR', 'DATABASE_URI', 'BASEURL', 'TRUST_PROXI', 'APP_SECRETS_FILE', 'smtp_url', 'MAX_FILE_BYTE'].map(meant),
    ['SMTP_URL', 'DATABASE_URL', 'BASE_URL', 'TRUST_PROXY', 'APP_SECRET_FILE', 'SMTP_URL', 'MAX_FILE_BYTES']
  )
})

test('settings, and what else stands in an environment, are not told', () => {
  const names = [
    ...Object.keys(settings),
    ...['PATH', 'HOME', 'HOSTNAME', 'LOGNAME', 'LANG', 'LANGUAGE', 'SHELL', 'SHLVL', 'TMPDIR', 'TERM', 'PWD', 'OLDPWD'],
    ...['NODE_OPTIONS', 'NODE_VERSION', 'NODE_COMPILE_CACHE', 'INVOCATION_ID', 'JOURNAL_STREAM', 'NO_COLOR', 'EDITOR'],
    ...['DESKLINE_ENV_FILE', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'AWS_REGION', 'DOMAIN', 'SSH_CONNECTION', 'XDG_DATA_DIRS'],
    ...[
      'POSTGRES_PASSWORD',
      'POSTGRES_USER',
      'POSTGRES_DB',
      'SMTP_HOST',
      'SMTP_PORT',
      'KUBERNETES_SERVICE_HOST',
      'PGHOST'
    ]
  ]

  assert.deepEqual(misspeltSettings(Object.fromEntries(names.map(name => [name, 'x']))), [])
})
