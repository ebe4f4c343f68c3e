import { renderApp } from '../app/render-app.tsx'
import { RouterProvider } from '../router/react.tsx'
import './early.ts'
import { NotFound } from './not-found.tsx'
import { router } from './router.ts'
import { ConsoleFrame } from './shell/console-frame.tsx'

void show()

/** Until the first page is loaded, the skeleton of the document is shown. Not awaited at the top: what is loaded later imports this file's chunk. */
async function show(): Promise<void> {
  await router.start()
  await renderApp(<RouterProvider router={router} frame={<ConsoleFrame />} notFound={<NotFound />} />, 'console')
}
