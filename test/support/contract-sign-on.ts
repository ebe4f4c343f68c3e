import { row } from './contract-row.ts'

const options = ['/api/auth/passkey/options', '/api/admin/auth/passkey/options']
const verify = ['/api/auth/passkey/verify', '/api/admin/auth/passkey/verify']
const ofOwn = '/api/account/passkeys'

/** Passkeys. */
export const signOnRows = [
  ...options.map(path => row(path, [], 'none')),
  ...verify.map(path => row(path, [], 'none', ['challenge_id', 'response'])),
  row(`${ofOwn}/list`, [ofOwn], 'required'),
  row(`${ofOwn}/options`, [], 'required'),
  row(`${ofOwn}/register`, [], 'required', ['challenge_id', 'response']),
  row(`${ofOwn}/rename`, [`${ofOwn}/:id/rename`], 'required', ['id', 'name']),
  row(`${ofOwn}/delete`, [`${ofOwn}/:id/delete`], 'required', ['id'])
]
