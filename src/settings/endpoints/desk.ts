import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Nullable, Shown } from '../../kit/schemas.ts'
import { settingsOf } from '../desk-settings.ts'
import { logoUrlOf } from '../logo.ts'
import { DeskSettings } from '../registry.ts'

const { name, phone, privacy_url, accent } = DeskSettings.properties

/** How the desk presents itself; pages ask before anybody has logged in. */
export const showDesk = endpoint({
  path: '/api/desk',
  summary: 'Show the name, the logo and the colour of the desk, and how else it can be reached',
  access: 'public',
  onlyReads: true,
  data: Type.Object({
    name,
    logo_url: Nullable(Shown('/branding/logo/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png')),
    phone,
    privacy_url,
    accent
  }),
  async handle({ services }) {
    const { settings } = await settingsOf(services.db)
    return { message: 'The desk', data: { ...settings, logo_url: await logoUrlOf(services.db) } }
  }
})
