import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts, Unauthenticated } from '../../../kit/errors.ts'
import { VersionConflict } from '../../../kit/versions.ts'
import { WrongPassword } from '../../auth/prove-password.ts'
import { EmailTaken } from '../../clients/sign-up.ts'
import { changeProfile } from '../change-profile.ts'
import { OwnProfile, ownProfile } from '../profile.ts'
import { ProfileChanges } from '../schemas.ts'

/** Changes the caller's profile; a client's new e-mail address also requires the password. */
export const updateProfile = endpoint({
  path: '/api/account/profile/update',
  summary: 'Update your profile',
  access: 'user',
  signedInOnly: true,
  about: 'caller',
  body: ProfileChanges,
  data: OwnProfile,
  errors: [WrongPassword, EmailTaken, VersionConflict, Unauthenticated, TooManyAttempts],
  async handle({ body, actor, session, services, caller }) {
    await changeProfile(services, session, body, caller)
    return { message: 'Profile changed', data: await ownProfile(services, actor) }
  }
})
