import type { Key } from '../../lib/strings.ts'
import type { Address } from '../addresses.ts'

interface Setting {
  /** The page on which it stands. */
  page: Address
  title: Key
  hint?: Key
}

/** The single settings of the desk: where each stands, and what it is called there and in the search. */
export const settings = {
  staffTwoFactor: { page: '/settings/sign-in', title: 'admin.staffTwoFactor', hint: 'admin.staffTwoFactorHint' },
  newDeviceEmails: {
    page: '/settings/sign-in',
    title: 'admin.newDeviceEmails',
    hint: 'admin.newDeviceEmailsHint'
  },
  staffTokens: { page: '/api-access', title: 'admin.api.staffTokens', hint: 'admin.api.staffTokensHint' },
  longestToken: { page: '/api-access', title: 'admin.api.longest' },
  onlySingleSignOn: { page: '/settings/sign-in', title: 'admin.onlySso', hint: 'admin.onlySsoHint' },
  signUp: { page: '/settings/sign-in', title: 'admin.signUp', hint: 'admin.signUpHint' },
  unknownSenders: { page: '/settings/email', title: 'admin.unknownSenders', hint: 'admin.unknownSendersHint' },
  mailAddresses: { page: '/settings/email', title: 'admin.mailAddresses', hint: 'admin.mailAddressesHint' },
  mailboxes: { page: '/settings/email', title: 'admin.mailboxes.title' },
  undoSend: { page: '/settings/email', title: 'admin.undoSend', hint: 'admin.undoSendHint' },
  emailLanguage: {
    page: '/settings/email-templates',
    title: 'admin.emailLanguage',
    hint: 'admin.emailLanguageHint'
  },
  withoutAccount: { page: '/settings/portal', title: 'admin.withoutAccount', hint: 'admin.withoutAccountHint' },
  logo: { page: '/settings/portal', title: 'admin.logo', hint: 'admin.logoHint' },
  accent: { page: '/settings/portal', title: 'admin.accent', hint: 'admin.accentHint' },
  phone: { page: '/settings/portal', title: 'admin.phone' },
  privacy: { page: '/settings/portal', title: 'admin.privacy' },
  satisfaction: { page: '/settings/satisfaction', title: 'admin.csatEnabled', hint: 'admin.csatEnabledHint' },
  helpLanguages: { page: '/settings/help', title: 'admin.helpLanguages', hint: 'admin.helpLanguagesHint' },
  widgetOrigins: { page: '/settings/help', title: 'admin.widgetOrigins', hint: 'admin.widgetOriginsHint' },
  widgetSecret: { page: '/settings/help', title: 'admin.widgetSecret', hint: 'admin.widgetSecretHint' },
  timeZone: { page: '/settings/general', title: 'admin.timeZone', hint: 'admin.timeZoneHint' },
  shareDrafts: { page: '/settings/general', title: 'admin.shareDrafts', hint: 'admin.shareDraftsHint' },
  deskName: { page: '/settings/general', title: 'admin.deskName', hint: 'admin.deskNameHint' }
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

/** All of them by their names. */
export const settingEntries = Object.entries(settings) as [SettingName, Setting][]
