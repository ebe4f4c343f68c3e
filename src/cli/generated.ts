import { envExample, settingsPage } from '../config.ts'
import { endpoints } from '../endpoints.ts'
import { routesPage } from '../kit/routes.ts'
import { apiDocument } from '../pages/api-document.ts'
import { authorizationPage } from '../pages/authorization.ts'
import { licencesPage } from './licences.ts'

/** Every file that is made from the code, by its path from the root. */
export function generatedFiles(): { path: string; text: string }[] {
  return [
    { path: '.env.example', text: envExample() },
    { path: 'docs/authorization.md', text: authorizationPage() },
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
