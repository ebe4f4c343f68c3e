import { Type } from 'typebox'
import { Nullable, OutputText } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { settingsOf } from '../desk-settings.ts'
import { logoUrlOf } from '../logo.ts'
import { DeskSettings } from '../registry.ts'

const { name, phone, privacy_url, accent, sign_up, tickets_without_account } = DeskSettings.properties

const languages = ['en', 'de']

/** The desk's branding and contact data; pages request it before anybody has logged in. */
export const showDesk = endpoint({
  path: '/api/desk',
  summary: 'Show the branding of the desk and the ways to contact it',
  access: 'public',
  onlyReads: true,
  data: Type.Object({
    name,
    logo_url: Nullable(
      OutputText('/branding/logo/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png')
    ),
    phone,
    privacy_url,
    accent,
    sign_up,
    tickets_without_account,
    languages: Type.Array(OutputText('en'), { description: 'The languages of the portal and the console.' }),
    max_files: Type.Integer({ examples: [10], description: 'The maximum number of files in a request.' }),
    max_file_bytes: Type.Integer({ examples: [26_214_400] })
  }),
  async handle({ services }) {
    const { settings } = await settingsOf(services.db)
    const { MAX_FILES: max_files, MAX_FILE_BYTES: max_file_bytes } = services.config
    const logo_url = await logoUrlOf(services.db)
    return { message: 'The desk', data: { ...settings, logo_url, languages, max_files, max_file_bytes } }
  }
})
