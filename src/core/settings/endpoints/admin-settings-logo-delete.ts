import { endpoint } from '../../endpoint.ts'
import { removeLogo } from '../logo.ts'

/** Removes the desk's logo. */
export const deleteLogo = endpoint({
  path: '/api/admin/settings/logo/delete',
  summary: 'Remove the logo of the desk',
  access: 'admin',
  about: 'caller',
  async handle({ actor, caller, services }) {
    await removeLogo(services, actor, caller)
    return { message: 'Logo removed' }
  }
})
