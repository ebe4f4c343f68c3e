import { endpoint } from '../../endpoint.ts'
import { Unauthenticated } from '../../kit/errors.ts'
import { LetterChanges, OwnLetters, setOwnLetters } from '../own-letters.ts'

/** Which letters about tickets the caller gets; what is given is changed first. */
export const setNotifications = endpoint({
  path: '/api/account/notifications',
  summary: 'Show or change which letters one gets',
  access: 'user',
  body: LetterChanges,
  data: OwnLetters,
  errors: [Unauthenticated],
  async handle({ body, actor, services, caller }) {
    return { message: 'Your letters', data: await setOwnLetters(services, actor, body, caller) }
  }
})
