import { endpoint } from '../../../core/endpoint.ts'
import { Unauthenticated } from '../../../kit/errors.ts'
import { NotificationChanges, OwnNotifications, setOwnNotifications } from '../own-notifications.ts'

/** Returns which e-mails about tickets the caller gets, after changing the given fields. */
export const setNotifications = endpoint({
  path: '/api/account/notifications',
  summary: 'Show or change your notification preferences',
  access: 'user',
  about: 'caller',
  body: NotificationChanges,
  data: OwnNotifications,
  errors: [Unauthenticated],
  async handle({ body, actor, services, caller }) {
    return { message: 'Your notifications', data: await setOwnNotifications(services, actor, body, caller) }
  }
})
