import { Type } from 'typebox'
import { SignInRequired } from '../../../kit/errors.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { endpoint } from '../../endpoint.ts'
import { updateSettings } from '../desk-settings.ts'
import { DeskSettings } from '../registry.ts'

/** Changes settings of the whole desk; missing ones stay. */
export const changeSettings = endpoint({
  path: '/api/admin/settings/update',
  summary: 'Change settings of the desk',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ ...Type.Partial(DeskSettings).properties, expected_version: ExpectedVersion }),
  data: Type.Object({ settings: DeskSettings, version: Type.Integer({ examples: [1_795_163_311_000] }) }),
  errors: [VersionConflict, SignInRequired],
  async handle({ body, session, services, caller }) {
    return { message: 'Settings changed', data: await updateSettings(services, session, body, caller) }
  }
})
