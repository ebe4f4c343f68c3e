import { endpoint } from '../../../core/endpoint.ts'
import { Unauthenticated } from '../../../kit/errors.ts'
import { OwnProfile, ownProfile } from '../profile.ts'

/** The caller's profile; open to staff who still have to enable a second factor, so that they learn of it. */
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
