import { renderApp } from '../app/render-app.tsx'
import type { Catalogue } from '../lib/strings.ts'
import { RouterProvider } from '../router/react.tsx'
import { router } from './router.ts'
import { ConsoleFrame } from './shell/console-frame.tsx'
import { NotFound } from './shell/not-found.tsx'

await renderApp(
  <RouterProvider router={router} frame={<ConsoleFrame />} notFound={<NotFound />} />,
  import.meta.glob<Catalogue>(['../strings/*/*.json', '!**/portal*.json']),
  'console'
)
