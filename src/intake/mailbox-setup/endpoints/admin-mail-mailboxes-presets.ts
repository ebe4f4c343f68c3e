import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Email, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { providerNames, providerOf, providers } from '../providers.ts'
import { MailboxPreset } from '../schemas.ts'
import { callbackUrl } from '../sign-in.ts'

/** The servers of the providers most used and, for an address, which of them it has: by its domain, else by the servers that receive for it. */
export const listMailboxPresets = endpoint({
  path: '/api/admin/mail/mailboxes/presets',
  summary: 'List the servers of mail providers, and find that of an address',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ address: Type.Optional(Email()) }),
  data: Type.Object({
    presets: Type.Array(MailboxPreset),
    /** The provider of the address; null if none is found within two seconds. */
    found: Nullable(OneOf(providerNames)),
    /** The address to give to the provider when the desk is registered there. */
    callback_url: OutputText('https://support.example.com/api/mail/oauth/callback')
  }),
  async handle({ body, services }) {
    const found = body.address === undefined ? undefined : await providerOf(services.config, body.address)
    return {
      message: 'Mail providers',
      data: { presets: [...providers], found: found ?? null, callback_url: callbackUrl(services.config) }
    }
  }
})
