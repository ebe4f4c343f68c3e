import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { snoozeDeskTicket } from './endpoints/admin-tickets-snooze.ts'
import { unsnoozeDeskTicket } from './endpoints/admin-tickets-unsnooze.ts'

export const snoozeEndpoints: readonly AnyEndpoint[] = [snoozeDeskTicket, unsnoozeDeskTicket]
