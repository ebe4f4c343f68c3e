import type { Services } from '../../core/services.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { isCommonPassword } from '../../platform/secrets/common-passwords.ts'

/**
 * Throws `InvalidFields`, which names the field, if a password is among the most common ones. Only for staff, who see the data of many
 * clients: the contract allows clients any password of six characters.
 */
export async function refuseCommonPassword(
  { config }: Pick<Services, 'config'>,
  password: string,
  field = 'password'
): Promise<void> {
  if (!config.REFUSE_COMMON_PASSWORDS || !(await isCommonPassword(password))) return
  throw InvalidFields({ message: 'This password is among the commonest: choose another one', errors: [field] })
}
