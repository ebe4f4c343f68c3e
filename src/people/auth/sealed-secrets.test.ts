import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { makeKeys } from '../../core/keys.ts'
import { signUp } from '../clients/sign-up.ts'
import { canOpenSecrets } from './sealed-secrets.ts'
import { sealPurpose } from './second-factor.ts'

test('keys that do not fit the second factors in the database are noticed, and former ones beside new ones fit', async () => {
  const { services, db } = await bootDesk()
  const [former, current] = ['former secret of the installation ..', 'current secret of the installation .']
  const [formerKeys, currentKeys] = [makeKeys([former]), makeKeys([current])]
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', password: 'correct horse' }
  const id = await signUp(services, person, { ip: null, requestId: null })

  assert.equal(await canOpenSecrets({ db, keys: currentKeys }), true)
  const secret = formerKeys.seal(sealPurpose({ population: 'client', id }), 'JBSWY3DPEHPK3PXP')
  await db.updateTable('clients').set({ two_factor_enabled: true, two_factor_secret: secret }).execute()

  assert.equal(await canOpenSecrets({ db, keys: formerKeys }), true)
  assert.equal(await canOpenSecrets({ db, keys: currentKeys }), false)
  assert.equal(await canOpenSecrets({ db, keys: makeKeys([current, former]) }), true)
})
