import { InvalidFields } from '../kit/errors.ts'
import { isCommonPassword } from '../platform/secrets/common-passwords.ts'
import type { Services } from '../services.ts'

/**
 * Refuses one of the commonest passwords for somebody on the staff, who sees what many clients wrote. What the contract asks of
 * clients' passwords stays as it is. Throws `InvalidFields` that names the field.
 */
export async function refuseCommonPassword(
  { config }: Pick<Services, 'config'>,
  password: string,
  field = 'password'
): Promise<void> {
  if (!config.REFUSE_COMMON_PASSWORDS || !(await isCommonPassword(password))) return
  throw InvalidFields({ message: 'This password is among the commonest: choose another one', errors: [field] })
}
