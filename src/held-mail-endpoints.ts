import { addBlockedSender } from './intake/mailbox/endpoints/admin-mail-blocked-add.ts'
import { listBlockedSenders } from './intake/mailbox/endpoints/admin-mail-blocked-list.ts'
import { removeBlockedSender } from './intake/mailbox/endpoints/admin-mail-blocked-remove.ts'
import { deleteHeldMails } from './intake/mailbox/endpoints/admin-mail-held-delete.ts'
import { showHeldMail } from './intake/mailbox/endpoints/admin-mail-held-detail.ts'
import { listHeldMails } from './intake/mailbox/endpoints/admin-mail-held-list.ts'
import { releaseHeldMail } from './intake/mailbox/endpoints/admin-mail-held-release.ts'
import { restoreHeldMail } from './intake/mailbox/endpoints/admin-mail-held-restore.ts'
import { linkOriginal } from './intake/mailbox/endpoints/admin-mail-original-link.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'

/** The endpoints of held e-mails and blocked senders: a part of the list in `endpoints.ts`. */
export const heldMailEndpoints: readonly AnyEndpoint[] = [
  listHeldMails,
  showHeldMail,
  releaseHeldMail,
  deleteHeldMails,
  restoreHeldMail,
  linkOriginal,
  listBlockedSenders,
  addBlockedSender,
  removeBlockedSender
]
