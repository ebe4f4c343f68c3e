import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/base.css'
import { loadStrings } from '../lib/strings.ts'
import type { Area } from '../strings/keys.ts'
import { queryClient } from './api-client.ts'
import { whenOnline } from './connection.ts'

/** Renders an application once the strings that all pages share and those of these areas are loaded. */
export async function renderApp(pages: ReactNode, ...areas: Area[]): Promise<void> {
  await loadStrings('shared', 'ui', ...areas)
  const root = createRoot(document.getElementById('root')!, {
    // React has already removed the pages.
    async onUncaughtError(error) {
      reportError(error)
      await whenOnline()
      const { RenderErrorPage } = await import('./render-error-page.tsx')
      root.render(<RenderErrorPage />)
    }
  })
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>
    </StrictMode>
  )
}
