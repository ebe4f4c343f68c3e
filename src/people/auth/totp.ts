import { Secret, TOTP } from 'otpauth'

/** The contract's two-factor parameters (Authentication: TOTP, 6 digits, 30-second period, SHA1). */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** A fresh secret of 160 bits, Base32 without padding: 32 characters. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The `otpauth://totp/` URI that an authenticator app reads from a QR code, with all parameters. */
export function otpauthUri(secret: string, label: string): string {
  return new TOTP({ issuer: 'Deskline', label, secret, ...parameters }).toString()
}

/**
 * The time step (Unix time / 30 s) of this code: the current one, the one before or the one after, to allow for clock drift. Undefined if
 * it is none of them.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  // The library compares bytes and throws if six characters are not six bytes.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: 1, ...parameters })
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp }) + delta
}
