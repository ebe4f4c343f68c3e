import { Type } from 'typebox'
import { Text, Verbatim } from '../../kit/schemas.ts'

// Values that are compared with a secret are only bounded in length, not checked for format: a malformed one is a wrong one, a 401.

/** The code of an authenticator app. */
export const FactorCode = Text(20, '287082')

export const Password = Verbatim(255, 'correct horse')

/** The fields of both logins (decision 14: a malformed e-mail address is treated as an unknown one). */
export const CredentialFields = Type.Object({
  email: Text(255, 'ada@example.com'),
  password: Password,
  two_factor_code: Type.Optional(FactorCode),
  device_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ['Zm9yZ2V0IG1lIG5vdCwgSSBhbSBhIGtub3duIGRldmljZQ'],
      description:
        'A refresh token of an earlier session of this account on this device, even if used. It marks the device as known, so ' +
        'that wrong passwords from elsewhere do not lock it out.'
    })
  )
})
