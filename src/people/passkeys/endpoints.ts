import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { deleteOwnPasskey } from './endpoints/account-passkeys-delete.ts'
import { listPasskeys } from './endpoints/account-passkeys-list.ts'
import { passkeyOptions } from './endpoints/account-passkeys-options.ts'
import { addPasskey } from './endpoints/account-passkeys-register.ts'
import { nameOwnPasskey } from './endpoints/account-passkeys-rename.ts'
import { staffPasskeyOptions } from './endpoints/admin-auth-passkey-options.ts'
import { staffPasskeyVerify } from './endpoints/admin-auth-passkey-verify.ts'
import { clientPasskeyOptions } from './endpoints/auth-passkey-options.ts'
import { clientPasskeyVerify } from './endpoints/auth-passkey-verify.ts'

export const passkeyEndpoints: readonly AnyEndpoint[] = [
  listPasskeys,
  passkeyOptions,
  addPasskey,
  nameOwnPasskey,
  deleteOwnPasskey,
  clientPasskeyOptions,
  clientPasskeyVerify,
  staffPasskeyOptions,
  staffPasskeyVerify
]
