import { programOf } from '../../../../src/lib/user-agent.ts'
import { t } from '../../lib/strings.ts'

/** "Firefox on Windows" if the user agent is known, else the program's own name. */
export function deviceOf(userAgent: string | null): { name: string; isPhone: boolean } {
  if (!userAgent) return { name: t('account.unknownDevice'), isPhone: false }
  const program = programOf(userAgent)
  const name = program ? t('account.browserOnSystem', program) : userAgent.split(' ')[0]!.slice(0, 60)
  return { name, isPhone: /iPhone|Android.*Mobile/.test(userAgent) }
}
