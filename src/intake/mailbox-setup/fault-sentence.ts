import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import type { Language } from '../../core/wording/languages.ts'
import type { MailboxReason } from '../../platform/mail/mailbox-fault.ts'
import { sendingFault } from './sending-fault.ts'
import type { StateOfMailbox } from './state-of-mailbox.ts'

/** What is wrong with a mailbox, as a sentence of this language; what a server said follows in its own words. */
export function faultSentence(
  mailbox: ConnectedMailboxRow,
  { lastError, lastErrorCode, fetch }: Pick<StateOfMailbox, 'lastError' | 'lastErrorCode' | 'fetch'>,
  language: Language
): string {
  if (lastError === null || language === 'en') return lastError ?? ''
  const receives = lastErrorCode !== null
  const server = receives ? mailbox.imap : mailbox.smtp
  const place = {
    host: server?.host ?? '',
    port: String(server?.port ?? ''),
    user: server?.user ?? '',
    folder: (receives && mailbox.imap?.folder) || 'INBOX'
  }
  const fault = receives ? undefined : sendingFault(mailbox, new Error(lastError))
  const said =
    lastErrorCode === 'unattended'
      ? undefined
      : receives
        ? fetch?.last_error_said
        : fault!.reason === 'connection_refused'
          ? undefined
          : lastError
  const sentence =
    fault?.reason === 'login_refused'
      ? `${place.host} lehnt die Anmeldung von ${place.user} für den Versand ab`
      : sentences[lastErrorCode ?? fault!.reason](place)
  return said ? `${sentence} („${said}“)` : sentence
}

interface Place {
  host: string
  port: string
  user: string
  folder: string
}

const sentences: Record<MailboxReason, (place: Place) => string> = {
  login_refused: ({ host, user }) =>
    `${host} lehnt die Anmeldung von ${user} ab: Benutzername oder Passwort ist falsch, oder IMAP ist dort nicht erlaubt`,
  login_unavailable: ({ host }) => `${host} lässt im Moment niemanden ein`,
  access_token_refused: ({ host, user }) =>
    `${host} lehnt die Anmeldung von ${user} ab: Das Zugangstoken ist falsch, oder IMAP ist dort nicht erlaubt`,
  refresh_token_refused: ({ user }) =>
    `Der Anbieter gibt für das Aktualisierungstoken von ${user} kein Zugangstoken heraus`,
  no_access_token: ({ user }) => `Der Anbieter hat für ${user} kein Zugangstoken herausgegeben`,
  token_server_unreachable: () => 'Der Server des Anbieters, der Zugangstokens herausgibt, hat nicht geantwortet',
  folder_missing: ({ host, folder }) => `Bei ${host} gibt es keinen Ordner ${folder}`,
  folder_changed: ({ folder }) => `Der Ordner ${folder} wurde inzwischen geschlossen oder neu angelegt`,
  unknown_host: ({ host }) => `Es ist kein Server mit dem Namen ${host} bekannt`,
  private_host: ({ host }) => `${host} führt in ein privates Netz, das der Betreiber nicht erlaubt`,
  connection_refused: ({ host, port }) => `Unter ${host}:${port} antwortet niemand`,
  timed_out: ({ host, port }) => `${host}:${port} hat nicht rechtzeitig geantwortet`,
  bad_certificate: ({ host }) => `Dem Zertifikat von ${host} kann nicht vertraut werden`,
  no_starttls: ({ host, port }) => `${host}:${port} bietet keine Verschlüsselung mit STARTTLS an`,
  no_tls: ({ host, port }) => `${host}:${port} spricht nicht TLS wie erwartet`,
  connection_lost: ({ host }) => `Die Verbindung zu ${host} ist abgebrochen`,
  read_only: ({ host, user, folder }) => `${host} lässt ${user} in ${folder} lesen, aber nichts ändern`,
  cannot_search: ({ host, folder }) => `${host} kann nicht sagen, welche E-Mails in ${folder} ungelesen sind`,
  cannot_mark: ({ host, folder }) => `${host} lässt nicht zu, dass Abgeholtes in ${folder} als gelesen markiert wird`,
  cannot_move: ({ host, folder }) => `${host} lässt nicht zu, dass Abgeholtes aus ${folder} verschoben wird`,
  cannot_delete: ({ host, folder }) => `${host} lässt nicht zu, dass Abgeholtes aus ${folder} gelöscht wird`,
  mail_gone: ({ folder }) => `Eine E-Mail, die abgeholt werden sollte, ist nicht mehr in ${folder}`,
  not_stored: () => 'Die E-Mails konnten nicht gespeichert werden. Warum, steht im Protokoll des Dienstes',
  no_password: () => 'Es hat noch kein Passwort',
  not_signed_in: () => 'Beim Anbieter hat sich noch niemand angemeldet',
  secrets_lost: () => 'Seine Geheimnisse lassen sich mit APP_SECRET nicht öffnen: Geben Sie sie neu ein',
  unattended: () => 'Kein Prozess von Deskline sieht nach ihm',
  other: ({ host }) => `${host} kann nicht verwendet werden`
}
