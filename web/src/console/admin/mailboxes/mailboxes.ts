import type { BodyOf, DataOf } from '@deskline/client'
import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import type { ConnectedMailbox } from '../mailbox-status-text.ts'

export type { ConnectedMailbox as Mailbox }
export type TestStep = DataOf<'/api/admin/mail/mailboxes/test'>['steps'][number]
export type StepName = TestStep['step']
export type MailboxChanges = Omit<BodyOf<'/api/admin/mail/mailboxes/update'>, 'id'>
export type Preset = DataOf<'/api/admin/mail/mailboxes/presets'>['presets'][number]

export const stepNames: StepName[] = ['connect', 'log_in', 'list', 'send', 'receive']

export async function refreshMailboxes(): Promise<void> {
  await reloadQueries('/api/admin/mail/mailboxes/list', '/api/admin/mail/mailboxes/detail')
}

export async function saveMailbox(id: number, changes: MailboxChanges): Promise<void> {
  await post('/api/admin/mail/mailboxes/update', { id, ...changes })
  await refreshMailboxes()
}

/** Leaves for the provider; it sends the browser back to the page of the mailbox. */
export async function signIn(id: number): Promise<void> {
  const { url } = await post('/api/admin/mail/mailboxes/connect', { id })
  location.assign(url)
}
