import type { Me } from '../../app/me.ts'
import type { Key } from '../../lib/strings.ts'
import type { Address } from '../addresses.ts'
import { pageAccess } from '../page-access.ts'

export interface Place {
  to: Address
  label: Key
  isFor: (me: Me) => boolean
  /** Further words by which the search finds it, in every language of the pages. */
  words: string
}

const { admins } = pageAccess

/** The first page of the administration. On phones `/admin` is the list of the groups, so that this one has an address of its own there. */
export const overviewPlace = {
  to: '/admin',
  label: 'admin.overview',
  isFor: pageAccess.administration,
  words: 'overview attention first steps changed lately Überblick klären erste Schritte zuletzt geändert'
} satisfies Place

/** The pages of the administration, in their groups. */
export const placeGroups: readonly { label: Key; places: readonly Place[] }[] = [
  {
    label: 'admin.people',
    places: [
      {
        to: '/staff',
        label: 'admin.staff',
        isFor: pageAccess.staff,
        words: 'staff supporters permissions password Team Personal Mitarbeiter Berechtigungen Rechte Passwort'
      },
      {
        to: '/departments',
        label: 'admin.departments',
        isFor: pageAccess.departments,
        words: 'departments Abteilungen'
      },
      {
        to: '/settings/sign-in',
        label: 'admin.signIn',
        isFor: admins,
        words:
          'sign-in log-in two-factor sign-up single sign-on sso oidc passkeys Anmeldung Zwei-Faktor Registrierung Konto'
      }
    ]
  },
  {
    label: 'admin.tickets',
    places: [
      {
        to: '/fields',
        label: 'admin.fields',
        isFor: admins,
        words: 'custom fields properties keys Felder eigene Zusatzfelder Eigenschaften'
      },
      {
        to: '/forms',
        label: 'admin.forms',
        isFor: admins,
        words: 'ticket forms questions conditions Formulare Fragen Bedingungen'
      },
      { to: '/tags', label: 'admin.tags', isFor: pageAccess.tags, words: 'tags labels Schlagwörter Etiketten' },
      { to: '/trash', label: 'admin.trash', isFor: pageAccess.trash, words: 'trash deleted Papierkorb gelöscht' }
    ]
  },
  {
    label: 'admin.times',
    places: [
      {
        to: '/hours',
        label: 'admin.hours',
        isFor: admins,
        words: 'business hours opening holidays calendars Geschäftszeiten Öffnungszeiten Feiertage Kalender'
      },
      {
        to: '/sla',
        label: 'admin.sla',
        isFor: admins,
        words: 'SLA policies targets due times deadlines SLA-Vorgaben Ziele Fristen'
      }
    ]
  },
  {
    label: 'admin.automation',
    places: [
      {
        to: '/rules',
        label: 'admin.rules',
        isFor: admins,
        words: 'rules automation triggers timers workflow Regeln Automatik Auslöser'
      },
      {
        to: '/webhooks',
        label: 'admin.webhooks',
        isFor: admins,
        words: 'webhooks events deliveries Ereignisse Zustellungen'
      },
      {
        to: '/api-access',
        label: 'admin.api',
        isFor: admins,
        words: 'api tokens service accounts programs keys API-Schlüssel Dienstkonto Dienstkonten Programme'
      }
    ]
  },
  {
    label: 'admin.channels',
    places: [
      {
        to: '/settings/email',
        label: 'admin.emailChannel',
        isFor: admins,
        words:
          'e-mail mailboxes imap smtp signature Postfach Signatur addresses senders Postfächer Adressen Absender E-Mail'
      },
      {
        to: '/settings/email-templates',
        label: 'admin.emailTexts',
        isFor: admins,
        words: 'e-mail texts templates language E-Mail-Texte Vorlagen Sprache'
      },
      {
        to: '/settings/portal',
        label: 'admin.portal',
        isFor: admins,
        words: 'portal logo colour branding customers Farbe Aussehen Kunden'
      },
      {
        to: '/settings/help',
        label: 'admin.help',
        isFor: admins,
        words:
          'help centre articles languages contact widget sites embed Hilfe Artikel Sprachen Kontakt-Widget Websites einbetten'
      },
      {
        to: '/settings/satisfaction',
        label: 'admin.satisfaction',
        isFor: admins,
        words: 'satisfaction ratings csat survey Zufriedenheit Bewertungen Umfrage'
      }
    ]
  },
  {
    label: 'admin.deskGroup',
    places: [
      {
        to: '/settings/general',
        label: 'admin.general',
        isFor: admins,
        words: 'general name time zone Allgemein Zeitzone'
      },
      {
        to: '/audit',
        label: 'admin.auditLog',
        isFor: admins,
        words: 'audit log changes history Protokoll Änderungen Verlauf'
      }
    ]
  }
]

/** The groups with the pages that this person may see; those without any are left out. */
export function placeGroupsFor(me: Me): { label: Key; places: Place[] }[] {
  return placeGroups
    .map(({ label, places }) => ({ label, places: places.filter(({ isFor }) => isFor(me)) }))
    .filter(({ places }) => places.length > 0)
}
