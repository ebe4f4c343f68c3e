import { accountWarnings } from './de-account-warnings.ts'
import { type Catalogue, paragraphs } from './wording.ts'

/** The German texts, with the terms of the pages. */
export const german: Catalogue = {
  emails: {
    'reset-link': {
      subject: 'Neues Passwort wählen',
      text: paragraphs(
        'Jemand, vermutlich Sie, möchte für Ihr Konto bei unserem Support ein neues Passwort wählen.',
        'Öffnen Sie dazu diesen Link:',
        '{{reset.link}}',
        'Er gilt {{reset.valid_for}} lang und nur einmal.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.'
      )
    },
    'staff-reset-link': {
      subject: 'Neues Passwort wählen',
      text: paragraphs(
        'Jemand, vermutlich Sie, möchte für Ihr Konto im Support-Team ein neues Passwort wählen.',
        'Öffnen Sie dazu diesen Link:',
        '{{reset.link}}',
        'Er gilt {{reset.valid_for}} lang und nur einmal.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.'
      )
    },
    invitation: {
      subject: 'Ihr Konto bei unserem Support',
      text: paragraphs(
        'Unser Support-Team hat ein Konto für Sie angelegt.',
        'Öffnen Sie diesen Link, um ein Passwort zu wählen:',
        '{{reset.link}}',
        'Er gilt {{reset.valid_for}} lang und nur einmal. Später können Sie bei der Anmeldung einen neuen anfordern.',
        'Wenn Sie davon nichts wissen, können Sie diese E-Mail ignorieren.'
      )
    },
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      text: paragraphs(
        '{{#by_owner}}Das Passwort Ihres Kontos bei unserem Support wurde eben geändert. Alle anderen Sitzungen wurden beendet.{{/by_owner}}',
        '{{#by_link}}Das Passwort Ihres Kontos bei unserem Support wurde eben mit einem Link geändert, der an diese Adresse gesendet wurde. Alle Sitzungen wurden beendet.{{/by_link}}',
        '{{#by_admin}}Das Passwort Ihres Kontos bei unserem Support wurde eben von einem Admin geändert. Alle Sitzungen wurden beendet.{{/by_admin}}',
        '{{#by_operator}}Das Passwort Ihres Kontos bei unserem Support wurde eben von den Betreibern des Supports geändert. Alle Sitzungen wurden beendet.{{/by_operator}}',
        'Wenn Sie das waren oder darum gebeten haben, müssen Sie nichts tun.',
        'Wenn nicht, wählen Sie sofort über „Passwort vergessen“ ein neues Passwort und sagen Sie unserem Support Bescheid.'
      )
    },
    ...accountWarnings,
    'email-code': {
      subject: 'Ihr Bestätigungscode',
      text: paragraphs(
        'Geben Sie diesen Code ein, um Ihre E-Mail-Adresse zu bestätigen:',
        '{{code}}',
        'Er gilt {{code.valid_for}} lang und nur einmal.',
        'Wenn Sie ihn nicht angefordert haben, geben Sie ihn nicht ein und geben Sie ihn an niemanden weiter. Vielleicht hat sich jemand mit Ihrer Adresse registriert: Wählen Sie hier ein Passwort, dann gehört das Konto Ihnen allein:',
        '{{desk.forgot_url}}'
      )
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: paragraphs(
        'Die E-Mail-Adresse Ihres Kontos bei unserem Support wurde eben geändert.',
        'Wenn Sie das waren, müssen Sie nichts tun.',
        '{{#returnable}}Wenn nicht, öffnen Sie diesen Link und wählen Sie ein neues Passwort. Dann ist dies wieder die Adresse des Kontos, und wer angemeldet ist, wird abgemeldet:{{/returnable}}',
        '{{#returnable}}{{reset.link}}{{/returnable}}',
        '{{#returnable}}Er gilt {{reset.valid_for}} lang und nur einmal.{{/returnable}}',
        'Sagen Sie unserem Support sofort Bescheid, wenn jemand anderes sie geändert hat.'
      )
    },
    'email-change-confirmation': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: paragraphs(
        'Unser Support-Team hat eben die E-Mail-Adresse Ihres Kontos geändert. Wer angemeldet war, wurde abgemeldet. Bis die neue Adresse bestätigt ist, kommen E-Mails zu diesem Konto hier an.',
        'Wenn Sie darum gebeten haben, öffnen Sie diesen Link und bestätigen Sie es. Bis dahin kann niemand per E-Mail ein neues Passwort wählen.',
        '{{confirmation.link}}',
        'Er gilt {{confirmation.valid_for}} lang und nur einmal. Später kann unser Support-Team die Adresse bestätigen.',
        'Wenn Sie nicht darum gebeten haben, bestätigen Sie es nicht, und sagen Sie unserem Support-Team sofort Bescheid.',
        '{{#returnable}}Sie können das Konto auch selbst zurückholen: Öffnen Sie diesen Link und wählen Sie ein neues Passwort. Dann ist dies wieder die Adresse des Kontos:{{/returnable}}',
        '{{#returnable}}{{reset.link}}{{/returnable}}',
        '{{#returnable}}Er gilt {{reset.valid_for}} lang und nur einmal.{{/returnable}}'
      )
    },
    'email-change-confirmed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: paragraphs(
        '{{admin.name}} hat als Admin unseres Support-Teams bestätigt, dass Ihr Konto eine neue E-Mail-Adresse hat.',
        'E-Mails zu diesem Konto, auch Links für ein neues Passwort, gehen nur noch an die neue Adresse.',
        'Wenn Sie nicht darum gebeten haben, sagen Sie unserem Support-Team sofort Bescheid.',
        '{{#new_address}}Wenn das Konto nicht Ihres ist, hat jemand anderes Ihre Adresse angegeben. Wählen Sie hier ein Passwort, dann gehört es Ihnen allein:{{/new_address}}',
        '{{#new_address}}{{desk.forgot_url}}{{/new_address}}'
      )
    },
    'ticket-confirmation': {
      subject: 'Bestätigen Sie Ihr Ticket',
      text: paragraphs(
        'Jemand, vermutlich Sie, hat unserem Support-Team geschrieben, ohne angemeldet zu sein, und Ihre E-Mail-Adresse angegeben.',
        'Sie haben dort ein Konto. Öffnen Sie diesen Link, um das Ticket zu sehen und in Ihrem Namen zu senden:',
        '{{confirmation.link}}',
        'Er gilt {{confirmation.valid_for}} lang und nur einmal.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Es wird nichts gesendet.',
        'Wenn Sie dort kein Konto haben, hat jemand anderes Ihre Adresse angegeben. Wählen Sie hier ein Passwort, dann gehört das Konto Ihnen allein:',
        '{{desk.forgot_url}}'
      )
    },
    'client-ticket': {
      subject: '{{#reply}}Re: {{/reply}}[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Bitte schreiben Sie Ihre Antwort über diese Zeile -##{{/answerable}}',
        '{{#received}}Wir haben Ihre Nachricht erhalten. Ihr Ticket ist {{ticket.number}}.{{/received}}',
        '{{#opened}}Unser Support-Team hat das Ticket {{ticket.number}} für Sie angelegt.{{/opened}}',
        '{{messages}}',
        '{{#closed}}Ihr Ticket {{ticket.number}} wurde geschlossen. Eine Antwort öffnet es wieder.{{/closed}}',
        '{{#answerable}}Auf diese E-Mail können Sie antworten. {{/answerable}}Lesen und beantworten können Sie das Ticket auch bei unserem Support, wo Sie E-Mails zu Tickets abschalten können:',
        '{{ticket.link}}',
        '{{thread}}'
      )
    },
    'client-ticket-unverified': {
      subject: '[{{ticket.number}}] Ihr Support-Ticket',
      text: paragraphs(
        '{{#received}}Wir haben Ihre Nachricht erhalten. Ihr Ticket ist {{ticket.number}}.{{/received}}',
        '{{#opened}}Unser Support-Team hat das Ticket {{ticket.number}} für Sie angelegt.{{/opened}}',
        '{{#answered}}Zu Ihrem Ticket {{ticket.number}} gibt es eine Antwort.{{/answered}}',
        '{{#closed}}Ihr Ticket {{ticket.number}} wurde geschlossen. Eine Antwort öffnet es wieder.{{/closed}}',
        '{{#unproven}}Bestätigen Sie Ihre E-Mail-Adresse, dann steht in solchen E-Mails auch, was geschrieben wurde.{{/unproven}}',
        '{{#unproven}}Wenn Sie von diesem Konto nichts wissen, hat jemand anderes Ihre Adresse angegeben. Wählen Sie hier ein Passwort, dann gehört das Konto Ihnen allein:{{/unproven}}',
        '{{#unproven}}{{desk.forgot_url}}{{/unproven}}',
        '{{#answerable}}Auf diese E-Mail können Sie antworten. {{/answerable}}Lesen und beantworten können Sie das Ticket auch bei unserem Support, wo Sie E-Mails zu Tickets abschalten können:',
        '{{ticket.link}}'
      )
    },
    'client-notice': {
      subject: '[{{ticket.number}}] {{notice.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Bitte schreiben Sie Ihre Antwort über diese Zeile -##{{/answerable}}',
        '{{messages}}',
        'Das Ticket lesen Sie am Support-Desk:',
        '{{ticket.link}}'
      )
    },
    'client-survey': {
      subject: '[{{ticket.number}}] Wie war unsere Hilfe?',
      text: paragraphs(
        'Ihr Ticket „{{ticket.subject}}“ wurde geschlossen. Wie war unsere Hilfe?',
        '{{good.link}}',
        '{{bad.link}}',
        'Sie sehen Ihre Wahl zuerst auf unserer Seite und schicken sie dort ab. Die Links gelten 30 Tage. Wenn noch etwas nicht stimmt, antworten Sie auf diese E-Mail: Das öffnet Ihr Ticket wieder.',
        '{{stop.link}}'
      )
    },
    'mail-refused': {
      subject: 'Ihre E-Mail wurde nicht angenommen',
      text: paragraphs(
        'Danke für Ihre Nachricht. Wir nehmen E-Mails nur von Personen an, die ein Konto bei unserem Support haben, und zu dieser Adresse gibt es keines.',
        'Bitte legen Sie hier eines an und schreiben Sie uns dort:',
        '{{desk.url}}',
        'Wenn Sie uns nicht geschrieben haben, müssen Sie nichts tun.'
      )
    },
    'follower-ticket': {
      subject: 'Re: [{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#answerable}}##- Bitte schreiben Sie Ihre Antwort über diese Zeile -##{{/answerable}}',
        '{{messages}}',
        'Sie bekommen diese E-Mail, weil Sie dem Ticket {{ticket.number}} folgen.{{#answerable}} Was Sie darauf antworten, wird dem Ticket hinzugefügt.{{/answerable}} Diese E-Mails abbestellen:',
        '{{stop.link}}'
      )
    },
    'ticket-copy': {
      subject: 'Re: [{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs('{{messages}}', 'Sie bekommen eine Kopie dieser E-Mail zum Ticket {{ticket.number}}.')
    },
    'side-conversation': {
      subject: '{{#answer}}Re: {{/answer}}{{conversation.subject}}',
      text: paragraphs('{{messages}}', '{{thread}}')
    },
    'staff-ticket': {
      subject: '[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs(
        '{{#back}}Das Ticket {{ticket.number}} ist wieder da: Die Zeit, für die es zurückgestellt war, ist um.{{/back}}{{#back_with_reason}} Der Grund war: {{snooze.reason}}{{/back_with_reason}}',
        '{{#late}}Das Ticket {{ticket.number}} ist überfällig: Es war fällig um {{sla.due}}.{{/late}}{{#due_soon}}Das Ticket {{ticket.number}} ist bald fällig, um {{sla.due}}.{{/due_soon}}',
        '{{#assigned}}{{assigned.by}} hat Ihnen das Ticket {{ticket.number}} zugewiesen.{{/assigned}}',
        '{{#mentioned}}In einer Notiz zum Ticket {{ticket.number}} wurden Sie erwähnt, von {{mentioned.by}}.{{/mentioned}}',
        '{{#partner_replied}}{{partner.name}} hat in einem Nebengespräch zum Ticket {{ticket.number}} geantwortet. Der Kunde sieht das nie.{{/partner_replied}}',
        '{{messages}}',
        'Lesen und beantworten können Sie das Ticket am Desk, wo Sie auch festlegen, welche dieser E-Mails Sie bekommen.'
      )
    },
    'staff-notice': {
      subject: '[{{ticket.number}}] {{ticket.subject}}',
      text: paragraphs('{{messages}}', 'Lesen und beantworten können Sie das Ticket am Desk.')
    },
    'staff-mail-limit': {
      subject: 'Es kommen zu viele E-Mails an',
      text: paragraphs(
        'Innerhalb einer Stunde sind mehr E-Mails angekommen, als die Einstellungen erlauben: von einem Absender, zu einem Ticket oder insgesamt. Was darüber hinausgeht, wird angehalten, bis es sich jemand aus dem Team ansieht; verloren geht nichts.',
        'Sehen Sie sich die angehaltenen E-Mails an. Wenn es für so viele einen guten Grund gibt, erhöhen Sie MAX_MAILS_PER_SENDER, MAX_MAILS_PER_TICKET oder MAX_MAILS_AN_HOUR.',
        'Das teilen wir Ihnen höchstens einmal in der Stunde mit.'
      )
    },
    'staff-mail-held': {
      subject: 'E-Mails werden für Sie angehalten',
      text: paragraphs(
        'Mindestens eine E-Mail an den Support-Desk ist in kein Ticket gekommen, weil erst jemand nach ihr sehen muss. Verloren geht keine.',
        'Sehen Sie sich die angehaltenen E-Mails an und geben Sie sie frei oder verwerfen Sie sie:',
        '{{held.link}}',
        'Das teilen wir Ihnen höchstens einmal am Tag mit, wie viele es auch sind.'
      )
    },
    'staff-mailbox': {
      subject:
        '{{#broken}}Das Postfach {{mailbox.address}} geht nicht{{/broken}}{{#working}}Das Postfach {{mailbox.address}} geht wieder{{/working}}',
      text: paragraphs(
        '{{#broken}}Das Postfach {{mailbox.address}} geht seit fünf Minuten nicht: {{mailbox.error}}{{/broken}}',
        '{{#broken}}E-Mails dorthin warten, wo sie sind, und die von dort gehen hinaus, sobald es wieder geht; verloren geht nichts. Sehen Sie nach, was fehlt, und testen Sie es dort:{{/broken}}',
        '{{#working}}Das Postfach {{mailbox.address}} geht wieder. Was gewartet hat, ist unterwegs.{{/working}}',
        '{{mailbox.link}}'
      )
    },
    'staff-rule-paused': {
      subject: 'Eine Regel wurde angehalten',
      text: paragraphs(
        'Die Regel „{{rule.name}}“ wurde eben angehalten: Ein weiterer Lauf hätte überschritten, was eine Regel von selbst tun darf.',
        'Was sie getan hätte, steht in der Liste ihrer Läufe. Wenn Sie sie angesehen haben, lassen Sie sie weiterlaufen: Sie folgt dann dem, was von da an geschieht.'
      )
    },
    'staff-webhook-disabled': {
      subject: 'Ein Webhook wurde abgeschaltet',
      text: paragraphs(
        'Der Webhook {{webhook.id}} zu {{webhook.origin}} wurde eben abgeschaltet.{{#gone}} Sein Empfänger hat mit 410 geantwortet: Es gibt ihn nicht mehr.{{/gone}}{{#failing}} Seit fünf Tagen ist jeder Zustellversuch gescheitert.{{/failing}}',
        'Solange er abgeschaltet ist, wird nichts für ihn aufgehoben. Wenn sein Empfänger wieder arbeitet, schalten Sie ihn ein und lassen Sie nachsenden, was er verpasst hat.'
      )
    }
  },
  desk: 'Support',
  links: { good: '👍 Gut', bad: '👎 Nicht gut', stop: 'Nicht mehr fragen' },
  phoneCode:
    'Ihr Support-Code ist {{code}}. Er gilt {{code.valid_for}} lang und nur einmal. Geben Sie ihn niemandem weiter.',
  wrote: '{{by}} schrieb:',
  wroteOn: 'Am {{date}} schrieb {{by}}:',
  dayMark: '.',
  months: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
  filesElsewhere: 'Dateien, die nicht angehängt sind; Sie finden sie in Ihrem Ticket, sobald Sie angemeldet sind:',
  filesByLink: 'Dateien, die nicht angehängt sind; jeder Link führt zwei Wochen lang zu seiner Datei:',
  filesRefused: 'Weggelassen, weil der Virenscanner etwas dagegen hat:',
  leftOut: ['Davor gab es eine weitere.', 'Davor gab es {{count}} weitere.'],
  durations: { day: ['Tag', 'Tage'], hour: ['Stunde', 'Stunden'], minute: ['Minute', 'Minuten'] }
}
