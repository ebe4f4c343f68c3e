import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/base.css'
import { loadStrings } from '../lib/strings.ts'
import { queries } from './desk.ts'

/** Shows these pages, once their first strings are there. */
export async function start(pages: ReactNode, area: 'portal' | 'console'): Promise<void> {
  await loadStrings('shared', 'ui', 'session', area)
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>{pages}</QueryClientProvider>
    </StrictMode>
  )
}
