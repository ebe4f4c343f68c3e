import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { setNotifications } from './endpoints/account-notifications.ts'
import { turnOnClientEmails } from './endpoints/admin-tickets-emails-turn-on.ts'
import { unsubscribeByLink } from './endpoints/notifications-unsubscribe.ts'
import { followTicket } from './endpoints/tickets-follow.ts'

export const notificationsEndpoints: readonly AnyEndpoint[] = [
  setNotifications,
  unsubscribeByLink,
  followTicket,
  turnOnClientEmails
]
