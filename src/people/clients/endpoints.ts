import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { confirmClientEmail } from './endpoints/admin-clients-confirm-email.ts'
import { createClient } from './endpoints/admin-clients-create.ts'
import { sendToClientAgain } from './endpoints/admin-clients-deliver-again.ts'
import { showDeliverability } from './endpoints/admin-clients-deliverability.ts'
import { listClients } from './endpoints/admin-clients-list.ts'
import { pickClient } from './endpoints/admin-clients-picker.ts'
import { resetClientTwoFactor } from './endpoints/admin-clients-reset-2fa.ts'
import { sendClientReset } from './endpoints/admin-clients-send-reset.ts'
import { updateClient } from './endpoints/admin-clients-update.ts'
import { confirmEmailChange } from './endpoints/auth-confirm-email-change.ts'
import { registerClient } from './endpoints/auth-signup.ts'
import { checkUserByEmail } from './endpoints/user-check-user-by-email.ts'

export const clientsEndpoints: readonly AnyEndpoint[] = [
  registerClient,
  checkUserByEmail,
  listClients,
  createClient,
  updateClient,
  sendClientReset,
  confirmClientEmail,
  confirmEmailChange,
  resetClientTwoFactor,
  showDeliverability,
  sendToClientAgain,
  pickClient
]
