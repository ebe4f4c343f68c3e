import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../core/config.ts'
import { insecureSettings } from './insecure-settings.ts'

const production = { NODE_ENV: 'production', BASE_URL: 'https://desk.example.com' }

test('nothing is said of the defaults, on this machine and in production', () => {
  assert.deepEqual(insecureSettings(readConfig({})), [])
  assert.deepEqual(insecureSettings(readConfig({ HOST: '127.0.0.1', NODE_ENV: 'test' })), [])
  assert.deepEqual(insecureSettings(readConfig(production)), [])
  assert.deepEqual(insecureSettings(readConfig({ NODE_ENV: 'production' })), [])
})

test('answers with codes are warned of in production, and wherever others than this machine are served', () => {
  const disclosed = /^!!! DISCLOSE_CODES is on/

  const told = insecureSettings(readConfig({ ...production, DISCLOSE_CODES: 'true' }))
  const open = insecureSettings(readConfig({ HOST: '0.0.0.0' }))

  assert.equal(told.length, 1)
  assert.match(told[0]!, disclosed)
  assert.equal(open.length, 2)
  assert.match(open[0]!, disclosed)
  assert.match(open[1]!, /^NODE_ENV is not production/)
  assert.match(
    insecureSettings(readConfig({ HOST: '::', DISCLOSE_CODES: 'false' })).join(),
    /^NODE_ENV is not production[^!]*$/
  )
})

test('an unencrypted public address is warned of', () => {
  assert.match(
    insecureSettings(readConfig({ ...production, BASE_URL: 'http://desk.example.com' })).join(),
    /^BASE_URL begins with/
  )
})
