import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantsOf, rolesIn } from './judge-person.ts'

/** An access of Keycloak as its documentation shows it (Server Administration Guide, “Client scopes”; Server Developer Guide, “Tokens”). */
const keycloak = {
  sub: 'f1d8a7c2-0c6c-4d0a-9d1e-2f3a4b5c6d7e',
  realm_access: { roles: ['default-roles-desk', 'offline_access', 'uma_authorization', 'agent'] },
  resource_access: {
    account: { roles: ['manage-account', 'view-profile'] },
    deskline: { roles: ['lead'] },
    'desk.example': { roles: ['auditor'] }
  },
  groups: ['/support', '/support/leads'],
  'https://desk.example/roles': ['namespaced'],
  email_verified: true
}

test('O5: roles are read from the claims of Keycloak: of the realm, of a client, also of one whose name has dots, and groups by their paths', () => {
  for (const [role_claim, roles] of [
    ['realm_access.roles', ['default-roles-desk', 'offline_access', 'uma_authorization', 'agent']],
    ['resource_access.deskline.roles', ['lead']],
    ['resource_access.desk.example.roles', ['auditor']],
    ['groups', ['/support', '/support/leads']],
    ['https://desk.example/roles', ['namespaced']],
    ['resource_access.nobody.roles', undefined],
    ['realm_access', undefined],
    ['email_verified', undefined],
    ['__proto__.roles', undefined],
    [null, undefined]
  ] as const) {
    assert.deepEqual(rolesIn({ role_claim }, keycloak), roles, String(role_claim))
  }
})

test('O5: a claim may be one role, and what is no text in a list is left out', () => {
  assert.deepEqual(rolesIn({ role_claim: 'role' }, { role: 'agent' }), ['agent'])
  assert.deepEqual(rolesIn({ role_claim: 'role' }, { role: ['agent', 7, null, { name: 'admin' }] }), ['agent'])
})

test('O5: several roles give all of their permissions and departments together, unknown ones nothing', () => {
  const role_map = {
    agent: { permissions: ['tickets.reply'], deptids: [1] },
    lead: { permissions: ['tickets.reply', 'tickets.view_all'], deptids: [1, 2] }
  }

  assert.deepEqual(grantsOf({ role_map }, ['agent', 'lead', 'constructor']), {
    permissions: ['tickets.reply', 'tickets.view_all'],
    deptids: [1, 2]
  })
})
