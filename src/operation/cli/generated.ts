import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { envExample, settingsPage } from '../../core/config.ts'
import { endpoints } from '../../endpoints.ts'
import { routesPage } from '../../kit/routes.ts'
import { apiDocument } from '../../operation/pages/api-document.ts'
import { authorizationPage } from '../../operation/pages/authorization.ts'
import { eventKindsPage } from '../../operation/pages/event-kinds.ts'
import { licencesPage } from './licences.ts'

interface GeneratedFile {
  path: string
  text: string
}

/** Every generated file, by its path from the root. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const openapi = openapiText()
  return [
    { path: '.env.example', text: envExample() },
    { path: 'docs/authorization.md', text: authorizationPage() },
    { path: 'docs/event-kinds.md', text: eventKindsPage() },
    { path: 'docs/licences.md', text: licencesPage() },
    { path: 'docs/openapi.json', text: openapi },
    { path: 'docs/routes.md', text: routesPage(endpoints) },
    { path: 'docs/settings.md', text: settingsPage() },
    ...(await clientFiles(openapi))
  ]
}

/** The text of `docs/openapi.json`. */
export function openapiText(): string {
  return `${JSON.stringify(apiDocument(), undefined, 2)}\n`
}

/** The types of the client library, if its tools are installed, as only in a clone. */
async function clientFiles(openapi: string): Promise<GeneratedFile[]> {
  const folder = join(import.meta.dirname, '../../../client')
  if (!existsSync(join(folder, 'node_modules'))) return []
  const maker = (await import(pathToFileURL(join(folder, 'generate.js')).href)) as { clientFiles: typeof clientFiles }
  return await maker.clientFiles(openapi)
}
