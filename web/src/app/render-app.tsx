import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/base.css'
import { type Catalogues, loadStrings, provideStrings } from '../lib/strings.ts'
import type { Area } from '../strings/keys.ts'
import { queryClient } from './api-client.ts'

/** Shows these pages, which have these strings, once their first strings (those that all pages share, and these areas) are there. */
export async function renderApp(pages: ReactNode, catalogues: Catalogues, ...areas: Area[]): Promise<void> {
  provideStrings(catalogues)
  await loadStrings('shared', 'ui', ...areas)
  const root = createRoot(document.getElementById('root')!, {
    // React has taken the pages away by then.
    async onUncaughtError(error) {
      reportError(error)
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
