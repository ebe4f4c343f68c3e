import { endpoint } from '../../endpoint.ts'
import { Unauthenticated } from '../../kit/errors.ts'
import { OwnProfile, ownProfile } from '../profile.ts'

/** What is known of the caller; open to staff who still have to turn a second factor on, so that they learn of it. */
export const showProfile = endpoint({
  path: '/api/account/profile',
  summary: 'Show your profile',
  access: 'user',
  onlyReads: true,
  whileRestricted: true,
  data: OwnProfile,
  errors: [Unauthenticated],
  async handle({ actor, services }) {
    return { message: 'Your profile', data: await ownProfile(services, actor) }
  }
})
