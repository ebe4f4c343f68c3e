import { createClient } from '@deskline/client'
import { QueryClient } from '@tanstack/react-query'

/** The API of the desk whose pages these are. Everything goes through it. */
export const desk = createClient({ baseUrl: '' })

export const queries = new QueryClient({
  defaultOptions: {
    // The client tries again by itself what may be tried again.
    queries: { retry: false, staleTime: 10_000 },
    mutations: { retry: false }
  }
})
