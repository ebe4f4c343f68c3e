import type { ConnectedMailbox } from '../mailbox-status-text.ts'
import type { MailboxChanges, Preset } from './mailboxes.ts'

type Security = 'tls' | 'starttls' | 'none'

/** The fields of the form about the connection, as texts. */
export type MailboxDraft = Record<
  | 'address'
  | 'name'
  | 'deptid'
  | 'begin'
  | 'taken'
  | 'moved_to'
  | 'auth'
  | 'user'
  | 'password'
  | 'imap_host'
  | 'imap_port'
  | 'imap_security'
  | 'folder'
  | 'smtp_host'
  | 'smtp_port'
  | 'smtp_security'
  | 'provider'
  | 'client_id'
  | 'client_secret'
  | 'secret_ends_on'
  | 'authorize_url'
  | 'token_url'
  | 'scope',
  string
>

export const emptyDraft: MailboxDraft = {
  address: '',
  name: '',
  deptid: '',
  begin: 'now',
  taken: 'seen',
  moved_to: '',
  auth: 'password',
  user: '',
  password: '',
  imap_host: '',
  imap_port: '993',
  imap_security: 'tls',
  folder: 'INBOX',
  smtp_host: '',
  smtp_port: '465',
  smtp_security: 'tls',
  provider: 'custom',
  client_id: '',
  client_secret: '',
  secret_ends_on: '',
  authorize_url: '',
  token_url: '',
  scope: ''
}

export function draftOf(mailbox: ConnectedMailbox): MailboxDraft {
  const { imap, smtp, oauth } = mailbox
  const isCustom = oauth?.provider === 'custom'
  return {
    ...emptyDraft,
    address: mailbox.address,
    name: mailbox.name,
    deptid: String(mailbox.deptid),
    begin: '',
    taken: mailbox.taken,
    moved_to: mailbox.moved_to ?? '',
    auth: mailbox.auth,
    user: imap?.user ?? smtp?.user ?? '',
    imap_host: imap?.host ?? '',
    imap_port: imap ? String(imap.port) : '993',
    imap_security: imap?.security ?? 'tls',
    folder: imap?.folder ?? 'INBOX',
    smtp_host: smtp?.host ?? '',
    smtp_port: smtp ? String(smtp.port) : '465',
    smtp_security: smtp?.security ?? 'tls',
    provider: oauth?.provider ?? 'custom',
    client_id: oauth?.client_id ?? '',
    secret_ends_on: oauth?.secret_ends_on ?? '',
    authorize_url: isCustom ? oauth.authorize_url : '',
    token_url: isCustom ? oauth.token_url : '',
    scope: isCustom ? oauth.scope : ''
  }
}

/** The servers of a provider, and how one signs in there. */
export function withPreset({ imap, smtp, auth, oauth_provider }: Preset): Partial<MailboxDraft> {
  return {
    imap_host: imap.host,
    imap_port: String(imap.port),
    imap_security: imap.security,
    smtp_host: smtp.host,
    smtp_port: String(smtp.port),
    smtp_security: smtp.security,
    auth,
    provider: oauth_provider ?? 'custom'
  }
}

/** What is sent: secrets only where something was typed. */
export function changesIn(draft: MailboxDraft): MailboxChanges {
  const isOAuth = draft.auth === 'oauth2'
  const secret = draft.password && !isOAuth ? { password: draft.password } : {}
  const user = draft.user.trim() || draft.address.trim()
  const begin = draft.begin as '' | 'now' | 'unread' | 'week'
  const taken = draft.taken as 'seen' | 'move' | 'delete'
  return {
    address: draft.address.trim(),
    name: draft.name.trim() || draft.address.trim(),
    deptid: Number(draft.deptid),
    auth: isOAuth ? 'oauth2' : 'password',
    imap: draft.imap_host.trim()
      ? {
          host: draft.imap_host.trim(),
          port: Number(draft.imap_port),
          security: draft.imap_security as Security,
          user,
          folder: draft.folder.trim() || 'INBOX',
          ...secret
        }
      : null,
    smtp: draft.smtp_host.trim()
      ? {
          host: draft.smtp_host.trim(),
          port: Number(draft.smtp_port),
          security: draft.smtp_security as Security,
          user,
          ...secret
        }
      : null,
    ...(isOAuth ? { oauth: oauthIn(draft) } : {}),
    ...(begin ? { begin } : {}),
    taken,
    moved_to: taken === 'move' ? draft.moved_to.trim() || null : null
  }
}

function oauthIn(draft: MailboxDraft): NonNullable<MailboxChanges['oauth']> {
  const provider = draft.provider as 'google' | 'microsoft' | 'custom'
  return {
    provider,
    client_id: draft.client_id.trim(),
    ...(draft.client_secret ? { client_secret: draft.client_secret } : {}),
    secret_ends_on: draft.secret_ends_on || null,
    ...(draft.authorize_url.trim() ? { authorize_url: draft.authorize_url.trim() } : {}),
    ...(draft.token_url.trim() ? { token_url: draft.token_url.trim() } : {}),
    ...(draft.scope.trim() ? { scope: draft.scope.trim() } : {})
  }
}
