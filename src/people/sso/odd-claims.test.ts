import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aProvider, signedInBy, whoIs } from '../../../test/support/identity-provider.ts'
import { aClient } from '../../../test/support/people.ts'
import { bootSignOnDesk } from '../../../test/support/sign-on-desk.ts'

const { desk, admin, twin, clients, makers, says } = await bootSignOnDesk()
const verified = { is_email_verified: true }

test('O2: whatever else than true stands for a proven address connects nobody', async () => {
  const ada = await aClient(desk, verified)
  for (const email_verified of [1, '1', 'TRUE', 'yes', ' true', [true], ['true'], { true: true }, '', 0, null]) {
    says(ada.email, { email_verified })

    const end = await signedInBy(desk, clients.slug)

    const told = JSON.stringify(email_verified)
    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['link_refused', undefined], told)
  }
})

test('O2: an address that is none, or several, connects nobody and makes no account', async () => {
  const ada = await aClient(desk, verified)
  const before = await desk.db.selectFrom('clients').select('id').execute()
  const odd = [
    [ada.email],
    { toString: ada.email },
    `${ada.email},eve@evil.example`,
    `${ada.email} `,
    `${ada.email}\n`,
    `Ada <${ada.email}>`,
    `eve@evil.example\u0000${ada.email}`,
    `"${ada.email}"@evil.example`,
    `${'a'.repeat(250)}@case.example`,
    ''
  ]
  for (const email of odd) {
    for (const { slug } of [clients, makers]) {
      says(undefined, { email })

      const end = await signedInBy(desk, slug)

      assert.deepEqual(
        [end.error, await whoIs(desk, end, 'client')],
        ['link_refused', undefined],
        JSON.stringify(email)
      )
    }
  }
  assert.equal((await desk.db.selectFrom('clients').select('id').execute()).length, before.length)
})

test('O12: a domain is the whole of it: none that ends with it, begins with it, or lies below it', async () => {
  const provider = await aProvider(desk, admin, twin, {
    domains: ['firm.example'],
    email_trust: 'issuer',
    create_accounts: 1
  })
  for (const domain of [
    'evilfirm.example',
    'firm.example.evil.example',
    'sub.firm.example',
    'firm.example.',
    'FIRM.EXAMPLE.evil'
  ]) {
    says(`ada@${domain}`, { email_verified: undefined })

    const end = await signedInBy(desk, provider.slug)

    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['link_refused', undefined], domain)
  }
  says('Ada.Of.Firm@FIRM.Example', { email_verified: undefined })
  assert.equal((await signedInBy(desk, provider.slug)).error, null)
})

test('O1: a subject is taken as it is: with another case, spaces or type it is somebody else', async () => {
  const ada = await aClient(desk, verified)
  says(ada.email, { sub: 'Case-Sensitive' })
  assert.equal((await signedInBy(desk, clients.slug)).error, null)

  for (const sub of ['case-sensitive', 'Case-Sensitive ', 'Case-Sensitive%00']) {
    says('nobody@else.example', { sub })
    const end = await signedInBy(desk, clients.slug)
    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['account_unknown', undefined], sub)
  }
  for (const sub of [7, null, '', ['Case-Sensitive'], undefined]) {
    says(ada.email, { sub })
    const end = await signedInBy(desk, clients.slug)
    assert.deepEqual([end.error, await whoIs(desk, end, 'client')], ['provider_error', undefined], JSON.stringify(sub))
  }
})

test('O4: who has one word for a name, none, or an endless one, gets an account all the same', async () => {
  const long = 'Ada'.repeat(80)
  const cases: [object, string, string][] = [
    [{ name: '<img src=x onerror=alert(1)>' }, '<img', 'src=x onerror=alert(1)>'],
    [{ name: 'Madonna' }, 'Madonna', 'new.example'],
    [{ name: undefined }, 'person-2', 'new.example'],
    [{ name: 7, given_name: ['x'], family_name: { a: 1 } }, 'person-3', 'new.example'],
    [{ given_name: 'Ada', name: ' ' }, 'Ada', 'new.example'],
    [{ name: long }, long.slice(0, 100), 'new.example'],
    [{ name: `Ada ${'😀'.repeat(150)}` }, 'Ada', '😀'.repeat(100)],
    [{ name: 'Ada\r\nBcc: x@evil.example' }, 'Ada', 'Bcc: x@evil.example']
  ]
  for (const [at, [claims, first, last]] of cases.entries()) {
    const email = `person-${at}@new.example`
    says(email, claims)

    const end = await signedInBy(desk, makers.slug)

    const row = await desk.db
      .selectFrom('clients')
      .where('email', '=', email)
      .select(['first_name', 'last_name'])
      .executeTakeFirst()
    assert.deepEqual([end.error, row], [null, { first_name: first, last_name: last }], JSON.stringify(claims))
  }
})
