import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { openTicketWithoutAccount } from './endpoints/tickets-open.ts'

export const openFormEndpoints: readonly AnyEndpoint[] = [openTicketWithoutAccount]
