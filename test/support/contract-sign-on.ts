import { row } from './contract-row.ts'

const options = ['/api/auth/passkey/options', '/api/admin/auth/passkey/options']
const verify = ['/api/auth/passkey/verify', '/api/admin/auth/passkey/verify']
const ofOwn = '/api/account/passkeys'

/** Passkeys, and single sign-on. */
export const signOnRows = [
  ...options.map(path => row(path, [], 'none')),
  ...verify.map(path => row(path, [], 'none', ['challenge_id', 'response'])),
  row(`${ofOwn}/list`, [ofOwn], 'required'),
  row(`${ofOwn}/options`, [], 'required'),
  row(`${ofOwn}/register`, [], 'required', ['challenge_id', 'response']),
  row(`${ofOwn}/rename`, [`${ofOwn}/:id/rename`], 'required', ['id', 'name']),
  row(`${ofOwn}/delete`, [`${ofOwn}/:id/delete`], 'required', ['id']),
  row('/api/sso/providers', [], 'none'),
  row('/api/sso/challenge', [], 'none'),
  row('/api/account/identities', ['/api/account/identities/list'], 'required'),
  row('/api/account/identities/link', [], 'required', ['slug']),
  row('/api/account/identities/unlink', ['/api/account/identities/:id/unlink'], 'required', ['id']),
  row('/api/admin/sso/list', ['/api/admin/sso'], 'admin'),
  row('/api/admin/sso/create', [], 'admin', ['slug', 'population', 'name', 'issuer', 'client_id']),
  row('/api/admin/sso/update', ['/api/admin/sso/:id/update'], 'admin', ['id']),
  row('/api/admin/sso/delete', ['/api/admin/sso/:id/delete'], 'admin', ['id']),
  row('/api/admin/sso/test', ['/api/admin/sso/:id/test'], 'admin', ['id']),
  row('/api/admin/sso/refusals/list', ['/api/admin/sso/refusals'], 'admin')
]
