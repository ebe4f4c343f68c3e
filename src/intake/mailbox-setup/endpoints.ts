import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { connectMailbox } from './endpoints/admin-mail-mailboxes-connect.ts'
import { createMailbox } from './endpoints/admin-mail-mailboxes-create.ts'
import { deleteMailbox } from './endpoints/admin-mail-mailboxes-delete.ts'
import { showMailbox } from './endpoints/admin-mail-mailboxes-detail.ts'
import { listMailboxes } from './endpoints/admin-mail-mailboxes-list.ts'
import { listMailboxPresets } from './endpoints/admin-mail-mailboxes-presets.ts'
import { testMailbox } from './endpoints/admin-mail-mailboxes-test.ts'
import { updateMailbox } from './endpoints/admin-mail-mailboxes-update.ts'

export const mailboxSetupEndpoints: readonly AnyEndpoint[] = [
  listMailboxes,
  listMailboxPresets,
  createMailbox,
  testMailbox,
  connectMailbox,
  showMailbox,
  updateMailbox,
  deleteMailbox
]
