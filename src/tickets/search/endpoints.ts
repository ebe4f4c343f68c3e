import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { searchDeskFor } from './endpoints/admin-search.ts'
import { searchTickets } from './endpoints/tickets-search.ts'

export const searchEndpoints: readonly AnyEndpoint[] = [searchDeskFor, searchTickets]
