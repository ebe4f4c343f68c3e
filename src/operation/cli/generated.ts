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
export function generatedFiles(): GeneratedFile[] {
  return [
    { path: '.env.example', text: envExample() },
    { path: 'docs/authorization.md', text: authorizationPage() },
    { path: 'docs/event-kinds.md', text: eventKindsPage() },
    { path: 'docs/licences.md', text: licencesPage() },
    { path: 'docs/openapi.json', text: openapiText() },
    { path: 'docs/routes.md', text: routesPage(endpoints) },
    { path: 'docs/settings.md', text: settingsPage() }
  ]
}

/** The text of `docs/openapi.json`. */
export function openapiText(): string {
  return `${JSON.stringify(apiDocument(), undefined, 2)}\n`
}
