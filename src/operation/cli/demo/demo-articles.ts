import type { Audience } from '../../../core/tables/knowledge-base.ts'
import type { FileName } from './demo-files.ts'
import type { ClientName, SupporterName } from './demo-people.ts'

// The help centre of the demo, in English and German.

export interface DemoCategory {
  key: string
  within?: string
  name: Record<string, string>
  audience: Audience
}

export interface DemoArticle {
  category: string
  by: SupporterName
  daysAgo: number
  /** Left a draft. */
  isDraft?: true
  audience?: Audience
  /** Stands where the text says PICTURE. */
  picture?: FileName
  texts: Record<string, { title: string; markdown: string }>
  helped?: ClientName[]
  /** What it lacks, by whom it did not help. */
  missed?: Partial<Record<ClientName, string>>
  solved?: { client: ClientName; subject: string }[]
}

export const demoCategories: DemoCategory[] = [
  { key: 'inverters', name: { en: 'Inverters', de: 'Wechselrichter' }, audience: 'public' },
  {
    key: 'errors',
    within: 'inverters',
    name: { en: 'Error codes', de: 'Fehlermeldungen' },
    audience: 'public'
  },
  { key: 'wallbox', name: { en: 'Wallbox', de: 'Wallbox' }, audience: 'public' },
  { key: 'app', name: { en: 'App and portal', de: 'App und Portal' }, audience: 'public' },
  {
    key: 'contract',
    name: { en: 'Contract and invoices', de: 'Vertrag und Rechnungen' },
    audience: 'clients'
  },
  { key: 'us', name: { en: 'Only for us', de: 'Nur für uns' }, audience: 'staff' }
]

export const demoArticles: DemoArticle[] = [
  {
    category: 'errors',
    by: 'mira',
    daysAgo: 26,
    picture: 'display',
    texts: {
      en: {
        title: 'What E-042 means, and what to do',
        markdown:
          'The inverter lost its earth reference for a moment, and switched itself off. Nothing is broken.\n\n![The display with the code E-042](PICTURE)\n\n## Try this first\n\n1. Switch the DC side off, with the grey lever under the inverter.\n2. Wait two minutes. The green light must be out.\n3. Switch it on again. The light stays green after about 30 seconds.\n\n## If it comes back\n\nSince firmware 8.1 the check is too strict on systems with long cables. **Version 8.1.2** mends this; we install it from here. Write to us with the serial number, which stands on the plate below the display.\n\n## When to call at once\n\nIf it smells of burning or the lever is hot, do not touch it, and call us.'
      },
      de: {
        title: 'Was E-042 bedeutet und was zu tun ist',
        markdown:
          'Der Wechselrichter hat kurz seinen Bezug zur Erde verloren und sich abgeschaltet. Kaputt ist nichts.\n\n![Das Display mit der Meldung E-042](PICTURE)\n\n## Zuerst versuchen\n\n1. Schalten Sie die Gleichstromseite mit dem grauen Hebel unter dem Wechselrichter aus.\n2. Warten Sie zwei Minuten. Das grüne Licht muss aus sein.\n3. Schalten Sie wieder ein. Nach etwa 30 Sekunden bleibt das Licht grün.\n\n## Wenn es wiederkommt\n\nSeit Firmware 8.1 ist die Prüfung bei langen Kabeln zu streng. **Version 8.1.2** behebt das; wir spielen sie von hier aus ein. Schreiben Sie uns mit der Seriennummer. Sie steht auf dem Schild unter dem Display.\n\n## Wann Sie sofort anrufen\n\nRiecht es verbrannt oder ist der Hebel heiß, fassen Sie ihn nicht an und rufen Sie uns an.'
      }
    },
    helped: ['rhys', 'siobhan', 'priya', 'jurgen', 'emmy', 'tobias'],
    missed: { aleksandra: 'Which of the two levers is it on the 12 kW model?' }
  },
  {
    category: 'inverters',
    by: 'mira',
    daysAgo: 25,
    texts: {
      en: {
        title: 'Restart the inverter in the right order',
        markdown:
          'AC off, DC off, two minutes, DC on, AC on. The other way round it starts its self-test twice.\n\n| step | what | where |\n|---|---|---|\n| 1 | AC off | fuse box, “PV” |\n| 2 | DC off | grey lever under the inverter |\n| 3 | wait | until the light is out |\n| 4 | DC on, then AC on | the same way back |'
      },
      de: {
        title: 'Den Wechselrichter in der richtigen Reihenfolge neu starten',
        markdown:
          'AC aus, DC aus, zwei Minuten warten, DC ein, AC ein. Andersherum macht er seinen Selbsttest zweimal.\n\n| Schritt | was | wo |\n|---|---|---|\n| 1 | AC aus | Sicherungskasten, „PV“ |\n| 2 | DC aus | grauer Hebel unter dem Wechselrichter |\n| 3 | warten | bis das Licht aus ist |\n| 4 | DC ein, dann AC ein | auf demselben Weg zurück |'
      }
    },
    helped: ['ada', 'zoe', 'eilidh']
  },
  {
    category: 'inverters',
    by: 'grace',
    daysAgo: 13,
    texts: {
      en: {
        title: 'A new router: bring the inverter online again',
        markdown:
          'The inverter keeps the name and password of the old network.\n\n1. Hold **WPS** on the new router until it blinks.\n2. Within two minutes choose **Network, Connect** on the inverter.\n3. The cloud symbol fills after about a minute.\n\nWithout WPS, connect by cable: the socket is behind the small lid on the left.'
      }
    },
    helped: ['lukas', 'marta'],
    solved: [{ client: 'priya', subject: 'New router, inverter offline' }]
  },
  {
    category: 'wallbox',
    by: 'jonas',
    daysAgo: 20,
    texts: {
      en: {
        title: 'Why it charges with 3.7 kW only',
        markdown:
          'Three reasons, the most frequent first:\n\n- **The cable** has one phase. Three phases need a cable marked *32 A, 3~*.\n- **The car** charges by one phase when it is below 5 °C.\n- **The wallbox** is limited in the app: Settings, Wallbox, Phases.'
      },
      de: {
        title: 'Warum sie nur mit 3,7 kW lädt',
        markdown:
          'Drei Gründe, der häufigste zuerst:\n\n- **Das Kabel** hat nur eine Phase. Drei Phasen brauchen ein Kabel mit der Aufschrift *32 A, 3~*.\n- **Das Auto** lädt unter 5 °C mit einer Phase.\n- **Die Wallbox** ist in der App begrenzt: Einstellungen, Wallbox, Phasen.'
      }
    },
    helped: ['thomas', 'ngozi']
  },
  {
    category: 'app',
    by: 'hannah',
    daysAgo: 16,
    texts: {
      en: {
        title: 'Yesterday’s yield is missing',
        markdown:
          'The inverter sends the yield of a day after sunset. Without a connection then, it sends both days together on the next evening: nothing is lost.\n\nIs it still missing after two evenings, [look at the network](/help/en) first.'
      },
      de: {
        title: 'Der Ertrag von gestern fehlt',
        markdown:
          'Der Wechselrichter sendet den Ertrag eines Tages nach Sonnenuntergang. Hat er dann keine Verbindung, sendet er am nächsten Abend beide Tage zusammen: Verloren geht nichts.\n\nFehlt er nach zwei Abenden noch, sehen Sie zuerst nach dem Netzwerk.'
      }
    },
    helped: ['katharina'],
    missed: {
      thomas: 'Bei mir fehlen seit dem Umzug alle Tage.',
      priya: '',
      zoe: '',
      alan: 'Where do I see the network?'
    }
  },
  {
    category: 'contract',
    by: 'jonas',
    daysAgo: 15,
    texts: {
      en: {
        title: 'Invoices as PDF by e-mail',
        markdown:
          'In the portal under **Account, Invoices** choose *By e-mail*. They come on the third working day of each month; older ones stay in the list for ten years.'
      },
      de: {
        title: 'Rechnungen als PDF per E-Mail',
        markdown:
          'Wählen Sie im Portal unter **Konto, Rechnungen** *Per E-Mail*. Sie kommen am dritten Werktag des Monats; ältere bleiben zehn Jahre in der Liste.'
      }
    }
  },
  {
    category: 'us',
    by: 'mira',
    daysAgo: 9,
    texts: {
      en: {
        title: 'How to read the residual-current log',
        markdown:
          'The log is `rcm.csv` on the service port.\n\n```\ntime,mA,phase\n06:15,11,L1\n```\n\nSingle peaks above 30 mA at sunrise are dew. More than three an hour are a damaged cable: send a fitter.'
      }
    }
  },
  {
    category: 'app',
    by: 'grace',
    daysAgo: 2,
    isDraft: true,
    texts: {
      en: {
        title: 'Give a tenant access',
        markdown:
          '**To do:** ask Hannah whether tenants see the yield of the house or only their own.\n\n1. Account, People, Invite.\n2. Choose *Reader*.'
      }
    }
  }
]
