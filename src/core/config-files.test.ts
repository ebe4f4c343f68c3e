import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationFaults } from '../lib/configuration-faults.ts'
import { readConfig } from './config.ts'

test('a store of one’s own is addressed by paths, Amazon’s by host names, unless told otherwise', () => {
  const own = readConfig({ S3_BUCKET: 'desk', S3_ENDPOINT: 'http://minio:9000/' })
  const amazon = readConfig({ S3_BUCKET: 'desk', S3_REGION: 'eu-central-1' })
  const told = readConfig({ S3_BUCKET: 'desk', S3_ENDPOINT: 'https://s3.example.com', S3_PATH_STYLE: 'no' })

  assert.deepEqual([own.S3_ENDPOINT, own.S3_REGION, own.S3_PATH_STYLE], ['http://minio:9000', 'us-east-1', true])
  assert.deepEqual([amazon.S3_ENDPOINT, amazon.S3_REGION, amazon.S3_PATH_STYLE], [undefined, 'eu-central-1', false])
  assert.equal(told.S3_PATH_STYLE, false)
})

test('a prefix is read with and without slashes around it', () => {
  for (const given of ['a/b', '/a/b/', 'a//b/']) assert.equal(readConfig({ S3_PREFIX: given }).S3_PREFIX, 'a/b/')
  assert.equal(readConfig({}).S3_PREFIX, '')
})

test('a command to scan with is words', () => {
  assert.deepEqual(readConfig({ SCAN_COMMAND: 'clamdscan  --quiet -' }).SCAN_COMMAND, ['clamdscan', '--quiet', '-'])
})

test('settings of files that do not fit, or not together, are told in plain words', () => {
  assert.deepEqual(
    faultsOf({
      S3_ENDPOINT: 'https://s3.example.com/bucket',
      S3_BUCKET: 'Desk',
      S3_PREFIX: '../other',
      S3_ACCESS_KEY: 'key',
      CLAMD_SOCKET: 'clamav',
      SCAN_COMMAND: 'scan'
    }),
    [
      'S3_BUCKET must be the name of a bucket: 3 to 63 small letters, digits, dots and dashes, but is "Desk"',
      'S3_ENDPOINT must be an address without a path, such as https://s3.example.com, but is "https://s3.example.com/bucket"',
      'S3_PREFIX must be letters, digits, dots, dashes and slashes, but is "../other"',
      'CLAMD_SOCKET must be host:port or the path of a socket, but is "clamav"',
      'S3_ACCESS_KEY and S3_SECRET_KEY must be given together',
      'CLAMD_SOCKET and SCAN_COMMAND must not be given together'
    ]
  )
  assert.deepEqual(faultsOf({ S3_ENDPOINT: 'https://s3.example.com' }), ['S3_BUCKET must be given when S3_ENDPOINT is'])
})

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigurationFaults)
    return error.faults
  }
  return []
}
