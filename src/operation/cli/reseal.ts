import type { Command } from 'commander'
import { resealWidgetSecrets } from '../../help/widget/secrets.ts'
import { resealMailboxSecrets } from '../../mail/mailboxes/connected-mailboxes.ts'
import { resealMailboxTokens } from '../../mail/mailboxes/mailbox-tokens.ts'
import { resealWebhookSecrets } from '../../outward/webhooks/reseal-webhook-secrets.ts'
import { resealSecrets } from '../../people/auth/reseal-secrets.ts'
import { resealProviderSecrets } from '../../people/sso/providers.ts'
import { printLine, withServices } from './with-services.ts'

export function resealCommand(command: Command): void {
  command.action(() =>
    withServices(async services => {
      const resealed = await resealSecrets(services)
      const webhooks = await resealWebhookSecrets(services)
      const widget = await resealWidgetSecrets(services)
      const mailboxes = await resealMailboxSecrets(services)
      const tokens = await resealMailboxTokens(services)
      const providers = await resealProviderSecrets(services)
      printLine(
        `Re-encrypted ${resealed} second factors, ${webhooks} webhook secrets, ${widget} widget secrets, ${mailboxes} mailboxes, ${tokens} mailbox tokens and ${providers} identity providers with the first APP_SECRET.`
      )
    })
  )
}
