import { RouterProvider } from '@tanstack/react-router'
import { start } from '../app/start.tsx'
import { router } from './router.ts'

await start(<RouterProvider router={router} />, 'session', 'console')
