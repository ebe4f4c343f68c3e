import { makePasswords } from '../../src/platform/secrets/passwords.ts'

/** The passwords of tests: hashed as always, at the least cost that argon2id takes. At the usual one they were a sixth of what all tests take. */
export const cheapPasswords = makePasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
