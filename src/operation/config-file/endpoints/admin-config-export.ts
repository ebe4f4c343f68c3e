import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { ConfigFile } from '../config-schemas.ts'
import { exportConfig } from '../export-config.ts'

/**
 * All definitions of the desk, to be imported into another one: the fields of the API, with names where it has ids, and e-mail addresses of people.
 * Personal and archived ones are left out, and webhooks, since their URLs may hold secrets.
 */
export const exportConfigFile = endpoint({
  path: '/api/admin/config/export',
  summary: 'Export all definitions, with names instead of ids',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ config: ConfigFile }),
  async handle({ services }) {
    return { message: 'Configuration', data: { config: await exportConfig(services.db) } }
  }
})
