import { start } from '../app/start.tsx'
import { Pages } from './pages.tsx'

await start(<Pages />, 'portal', 'portal-shell')
