import { start } from '../app/start.tsx'
import { RouterProvider } from './router/react.tsx'
import { router } from './router.ts'
import { NotFound } from './shell/not-found.tsx'

await start(<RouterProvider router={router} notFound={<NotFound />} />, 'console')
