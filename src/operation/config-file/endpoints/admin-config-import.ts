import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, OneOf, OutputText } from '../../../kit/schemas.ts'
import { Count } from '../../../tickets/ticket/schemas.ts'
import { ConfigFile } from '../config-schemas.ts'
import { changes, importConfig } from '../import-config.ts'

const told = { kind: OutputText('calendar'), name: OutputText('Berlin office') }
export const ConfigChange = Type.Object({ ...told, outcome: OneOf(changes) })
export const ConfigRefusal = Type.Object({ ...told, reason: OutputText('There is no calendar “Berlin office” here') })

/**
 * Creates the definitions of an export, or changes those with the same names; what the file does not name stays. What would break a reference or is
 * refused by hand is `refused` with the reason, and the others are imported. With `dry_run: 1` nothing is written, and the answer is the same.
 */
export const importConfigFile = endpoint({
  path: '/api/admin/config/import',
  summary: 'Import definitions by name, or show what that would change',
  access: 'admin',
  about: 'caller',
  body: Type.Object({ config: ConfigFile, dry_run: Type.Optional(BooleanInput(0)) }),
  data: Type.Object({
    created: Count,
    updated: Count,
    unchanged: Count,
    changes: Type.Array(ConfigChange),
    refused: Type.Array(ConfigRefusal)
  }),
  async handle({ body: { config, dry_run }, actor, caller, services }) {
    const isDryRun = dry_run === 1
    const data = await importConfig({ services, actor, caller }, { config, isDryRun })
    return { message: isDryRun ? 'Dry run' : 'Configuration imported', data }
  }
})
