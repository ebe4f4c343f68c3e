import manifest from '../../package.json' with { type: 'json' }
import type { Services } from '../core/services.ts'
import { activeAdmins, defaultAdmin } from '../people/staff/first-admin.ts'
import { outboxFolder } from '../platform/outbox-file.ts'
import { stripControlSequences, type Terminal } from '../platform/terminal.ts'

/** Information for a person at a terminal once the service listens: its URL, its pages, the admin, how to stop it. */
export async function startupMessage(services: Services, port: number, { paint }: Terminal): Promise<string> {
  const { config } = services
  const isAnywhere = ['localhost', '::', '0.0.0.0', '127.0.0.1', '::1'].includes(config.HOST)
  const here = `http://${isAnywhere ? 'localhost' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`
  const isElsewhere = new URL(config.BASE_URL).hostname !== 'localhost'
  const lines: [string, string][] = [
    ['Portal', isElsewhere ? `${here}, for others ${config.BASE_URL}` : here],
    ['Console', `${here}/desk`],
    ['Docs', `${here}/docs`],
    ['OpenAPI', `${here}/openapi.json`],
    ['Health', `${here}/readyz`],
    ['Admin', await adminLine(services)]
  ]
  if (!config.SMTP_URL) lines.push(['E-mails', `files in ${outboxFolder(config.DATA_DIR)}`])
  lines.push(['Stop', 'Ctrl+C'])
  const rows = lines.map(([name, text]) => `  ${paint('dim', name.padEnd(9))}${stripControlSequences(text)}`)
  return `\n  ${paint('bold', `Deskline ${manifest.version} is ready`)}\n\n${rows.join('\n')}\n\n`
}

async function adminLine(services: Services): Promise<string> {
  const { emails, hasDefaultPassword } = await activeAdmins(services)
  if (emails.length === 0) return 'none yet: run "deskline create-admin"'
  if (hasDefaultPassword) return `${defaultAdmin.email} with the published password ${defaultAdmin.password}: change it`
  return emails.length === 1 ? emails[0]! : `${emails[0]} and ${emails.length - 1} more`
}
