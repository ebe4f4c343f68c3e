import { failureOf, failureText } from '../../../app/failures.ts'
import { type Key, t } from '../../../lib/strings.ts'

/** What does not go to third parties, and why, by the code of the service. */
const texts: Partial<Record<string, Key>> = {
  no_address: 'side.refused.noAddress',
  desk: 'side.refused.desk',
  client: 'side.refused.client',
  follower: 'side.refused.follower',
  staff: 'side.refused.staff',
  other_messages: 'side.refused.messages',
  other_files: 'side.refused.files',
  file_infected: 'side.refused.infected',
  file_unchecked: 'side.refused.unchecked',
  files_too_large: 'side.refused.tooLarge',
  forbidden: 'side.refused.forbidden'
}

interface Stopped {
  stopped_code: string | null
  stopped_about: string | null
}

/** Why a message did not go. */
export function stoppedText({ stopped_code: code, stopped_about: about }: Stopped): string {
  const key = texts[code ?? '']
  return [t('side.stopped'), key && t(key, { about: about ?? '' })].filter(Boolean).join(' ')
}

/** The message of a refusal, in the reader's language. */
export function sideFailureText(error: unknown): string {
  const { code, about } = (failureOf(error)?.data ?? {}) as { code?: string; about?: string | null }
  const key = texts[code ?? '']
  return key ? t(key, { about: about ?? '' }) : failureText(error)
}
