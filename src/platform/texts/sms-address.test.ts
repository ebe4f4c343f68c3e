import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidSetting } from '../../lib/setting.ts'
import { smsAddress } from './sms-address.ts'

test('an https:// address is a gateway of the signed protocol, on this machine http:// as well', () => {
  for (const url of ['https://sms.example.com/texts?tenant=7', 'http://127.0.0.1:8080/']) {
    assert.deepEqual(smsAddress(url), { kind: 'signed', url })
  }
})

test('a twilio:// address names account, token, host and sender', () => {
  assert.deepEqual(smsAddress('twilio://AC7:t0ken@api.twilio.com?from=+15550100'), {
    kind: 'twilio',
    url: 'https://api.twilio.com/2010-04-01/Accounts/AC7/Messages.json',
    account: 'AC7',
    token: 't0ken',
    sender: '+15550100'
  })
  const senderOf = (from: string) =>
    (smsAddress(`twilio://AC7:t0ken@sms.example.com:8443?from=${from}`) as Twilio).sender
  assert.deepEqual(['%2B15550100', 'My%20Desk', 'MG1'].map(senderOf), ['+15550100', 'My Desk', 'MG1'])
})
type Twilio = Extract<ReturnType<typeof smsAddress>, { kind: 'twilio' }>

for (const address of [
  'sms.example.com',
  'http://sms.example.com',
  'https://user:password@sms.example.com',
  'https://sms.example.com/#top',
  'twilio://api.twilio.com?from=+15550100',
  'twilio://AC7:t0ken@api.twilio.com',
  'twilio://AC7:t0ken@api.twilio.com?from=',
  'twilio://AC7:t0ken@api.twilio.com/2010?from=+15550100',
  'twilio://AC7:t0ken@api.twilio.com?from=+15550100&region=ie',
  'twilio://..:t0ken@api.twilio.com?from=+15550100'
]) {
  test(`${address} is no address of a gateway`, () => {
    assert.throws(() => smsAddress(address), InvalidSetting)
  })
}
