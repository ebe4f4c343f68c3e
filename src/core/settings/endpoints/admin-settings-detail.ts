import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { settingsOf } from '../desk-settings.ts'
import { DeskSettings } from '../registry.ts'

/** The settings of the whole desk. */
export const showSettings = endpoint({
  path: '/api/admin/settings/detail',
  aliases: ['/api/admin/settings'],
  summary: 'Show the settings of the desk',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ settings: DeskSettings, version: Type.Integer({ examples: [1_795_163_311_000] }) }),
  async handle({ services }) {
    return { message: 'The settings of the desk', data: await settingsOf(services.db) }
  }
})
