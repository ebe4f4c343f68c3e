import { type Catalogue, paragraphs } from './wording.ts'

type Warnings =
  | 'password-attempts'
  | 'wrong-factors'
  | 'two-factor-reset'
  | 'passkey-added'
  | 'passkey-blocked'
  | 'new-device'
  | 'token-ends'

/** The German texts that warn people of what happens to their account. */
export const accountWarnings: Pick<Catalogue['emails'], Warnings> = {
  'password-attempts': {
    subject: 'Jemand probiert Passwörter für Ihr Konto',
    text: paragraphs(
      'Jemand hat viele falsche Passwörter für Ihr Konto bei unserem Support probiert. Hineingekommen ist damit niemand: Von dort werden einige Minuten lang keine weiteren angenommen.',
      'Wenn Sie das waren, warten Sie ein paar Minuten oder wählen Sie über „Passwort vergessen“ ein neues Passwort: Damit sind Sie sofort angemeldet.',
      'Wenn nicht, müssen Sie nichts tun. Wo Sie zuletzt angemeldet waren, können Sie sich weiterhin anmelden. Ein Passwort, das Sie sonst nirgends verwenden, und die Zwei-Faktor-Anmeldung halten andere fern.',
      'Das teilen wir Ihnen höchstens einmal am Tag mit.'
    )
  },
  'wrong-factors': {
    subject: 'Jemand kennt Ihr Passwort',
    text: paragraphs(
      'Jemand hat heute das richtige Passwort Ihres Kontos bei unserem Support eingegeben und danach mehrere falsche Codes einer Authenticator-App. Hineingekommen ist damit niemand.',
      'Wenn Sie das waren, müssen Sie nichts tun.',
      'Wenn nicht, wählen Sie sofort über „Passwort vergessen“ ein neues Passwort und verwenden Sie das bisherige nirgends mehr.'
    )
  },
  'two-factor-reset': {
    subject: 'Zwei-Faktor-Anmeldung ausgeschaltet',
    text: paragraphs(
      'Unser Support-Team hat die Zwei-Faktor-Anmeldung für Ihr Konto ausgeschaltet. Wer angemeldet war, wurde abgemeldet; mit Ihrem Passwort allein können Sie sich wieder anmelden.',
      'Bitte melden Sie sich an und richten Sie die Zwei-Faktor-Anmeldung neu ein.',
      'Wenn Sie nicht darum gebeten haben, wählen Sie ein neues Passwort und sagen Sie unserem Support-Team sofort Bescheid.'
    )
  },
  'passkey-added': {
    subject: 'Ihr Konto hat einen neuen Passkey',
    text: paragraphs(
      'Zu Ihrem Konto bei unserem Support wurde ein Passkey hinzugefügt. Wer ihn hat, meldet sich ohne Ihr Passwort an.',
      'Wenn Sie das waren, müssen Sie nichts tun.',
      'Wenn nicht, melden Sie sich an, entfernen Sie den Passkey in Ihrem Konto, melden Sie sich überall sonst ab und wählen Sie ein neues Passwort.'
    )
  },
  'passkey-blocked': {
    subject: 'Einer Ihrer Passkeys ist gesperrt',
    text: paragraphs(
      'Jemand hat versucht, sich mit einem Ihrer Passkeys bei unserem Support anzumelden, und der Zähler des Passkeys war niedriger als zuvor. Vielleicht gibt es eine Kopie davon. Hineingekommen ist damit niemand, und dieser Passkey meldet niemanden mehr an.',
      'Melden Sie sich auf einem anderen Weg an, entfernen Sie den Passkey in Ihrem Konto und fügen Sie einen neuen hinzu.'
    )
  },
  'new-device': {
    subject: 'Anmeldung auf einem neuen Gerät',
    text: paragraphs(
      'Eben hat sich jemand auf einem Gerät an Ihrem Konto bei unserem Support angemeldet, auf dem Sie noch nicht angemeldet waren.',
      '{{#known_program}}Nach eigener Angabe ist es {{device.browser}} unter {{device.system}}.{{/known_program}}',
      'Es ist im Netz {{device.network}}.',
      'Wenn Sie das waren, müssen Sie nichts tun.',
      'Wenn nicht, beenden Sie diese Sitzung hier und wählen Sie danach ein neues Passwort. Der Link gilt {{end.valid_for}} lang:',
      '{{end.link}}'
    )
  },
  'token-ends': {
    subject: 'Ein API-Schlüssel endet bald',
    text: paragraphs(
      'Der API-Schlüssel bei unserem Support, der auf {{token.last_four}} endet, gilt noch {{token.ends_in}}. Danach wird das Programm abgewiesen, das ihn benutzt.',
      'Wird er noch gebraucht, erstellen Sie einen neuen und geben Sie ihn dem Programm:',
      '{{token.page}}'
    )
  }
}
