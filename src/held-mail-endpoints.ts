import type { AnyEndpoint } from './kit/endpoint.ts'
import { addBlockedSender } from './mailbox/endpoints/admin-mail-blocked-add.ts'
import { listBlockedSenders } from './mailbox/endpoints/admin-mail-blocked-list.ts'
import { removeBlockedSender } from './mailbox/endpoints/admin-mail-blocked-remove.ts'
import { deleteHeldMails } from './mailbox/endpoints/admin-mail-held-delete.ts'
import { showHeldMail } from './mailbox/endpoints/admin-mail-held-detail.ts'
import { listHeldMails } from './mailbox/endpoints/admin-mail-held-list.ts'
import { releaseHeldMail } from './mailbox/endpoints/admin-mail-held-release.ts'
import { restoreHeldMail } from './mailbox/endpoints/admin-mail-held-restore.ts'
import { linkOriginal } from './mailbox/endpoints/admin-mail-original-link.ts'

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
