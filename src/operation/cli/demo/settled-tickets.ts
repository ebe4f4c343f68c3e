import type { DemoTicket } from './demo-steps.ts'

/** The tickets that were answered or closed in the weeks before, oldest first. */
export const settledTickets: DemoTicket[] = [
  {
    client: 'katharina',
    deptid: 5,
    subject: 'Second login for the cellar master',
    priority: 'Low',
    message: 'Our cellar master should see the yield as well, but not the contract. Is that possible?',
    openedHoursAgo: 33 * 24,
    tags: ['app'],
    steps: [
      { after: 4, by: 'hannah', reply: 'It is: under Account, People, invite him as a reader.' },
      { after: 26, client: 'Found it, he can see it. Thank you.' },
      { after: 27, by: 'hannah', status: 'Closed' }
    ]
  },
  {
    client: 'rhys',
    deptid: 5,
    subject: 'Quote accepted: two panels for the garage',
    priority: 'Low',
    message: 'We take the offer of the 14th. When would you come?',
    openedHoursAgo: 29 * 24,
    steps: [
      { after: 2, by: 'jonas', assign: 'jonas' },
      {
        after: 3,
        by: 'jonas',
        reply: 'Good news. Thursday the 6th or Monday the 10th, each time in the morning: which suits you?'
      },
      { after: 20, client: 'Thursday, please.' },
      {
        after: 21,
        by: 'jonas',
        reply: 'Thursday the 6th at eight it is. The fitters are Tom and Bethan.',
        status: 'Closed'
      }
    ]
  },
  {
    client: 'thomas',
    deptid: 4,
    subject: 'Rechnung 2026-3391: falsche Anzahl',
    priority: 'Medium',
    message: 'Auf der Rechnung steht die Anfahrt zweimal, es gab aber nur einen Termin. Die Rechnung hängt an.',
    files: ['invoice'],
    openedHoursAgo: 24 * 24,
    tags: ['refund'],
    steps: [
      { after: 5, by: 'jonas', assign: 'jonas' },
      {
        after: 6,
        by: 'jonas',
        note: 'Stimmt: der zweite Termin wurde abgesagt, der Auftrag aber nicht geändert. Gutschrift ist angelegt.'
      },
      {
        after: 6.5,
        by: 'jonas',
        reply: 'Sie haben recht. Die Gutschrift über 89,00 € geht heute hinaus, die übrige Rechnung bleibt bestehen.'
      },
      { after: 50, client: 'Gutschrift ist da. Danke für die schnelle Antwort.' },
      { after: 51, by: 'jonas', status: 'Closed' }
    ]
  },
  {
    client: 'ada',
    deptid: 4,
    subject: 'Invoice 1843 came twice',
    priority: 'Medium',
    message: 'The invoice of this month arrived on Monday and again on Tuesday.',
    openedHoursAgo: 20 * 24,
    steps: [
      { after: 3, by: 'grace', reply: 'The second one has been cancelled. Please pay the first.' },
      { after: 3, by: 'grace', status: 'Closed' }
    ]
  },
  {
    client: 'ngozi',
    deptid: 1,
    subject: 'Installer left without the commissioning report',
    priority: 'Medium',
    message: 'The grid operator wants the report by the end of the month. Could you ask the team of the 28th for it?',
    openedHoursAgo: 17 * 24,
    tags: ['contract'],
    steps: [
      { after: 1, by: 'mira', assign: 'mira' },
      { after: 2, by: 'mira', reply: 'I have asked them. It will be in your account tomorrow.' },
      { after: 40, by: 'mira', note: 'The report had been put into the wrong order, moved.' },
      { after: 41, by: 'mira', reply: 'It is there now, under Documents. I am sorry that it took a day longer.' },
      { after: 60, client: 'Got it, sent on to the operator.' },
      { after: 61, by: 'mira', status: 'Closed' }
    ]
  },
  {
    client: 'eilidh',
    deptid: 1,
    subject: 'Battery reserve ignored during a power cut',
    priority: 'High',
    message:
      'The battery said 35 % when the power went, and the house was dark all the same. The reserve is set to 20 %.',
    openedHoursAgo: 12 * 24,
    tags: ['battery'],
    steps: [
      { after: 0.5, by: 'mira', assign: 'mira' },
      {
        after: 0.7,
        by: 'mira',
        reply:
          'Backup takes over only if the switch “Island mode” is on as well. Is it? You find it beside the reserve.'
      },
      { after: 9, client: 'It was off. After the fitters left nobody told us about it.' },
      {
        after: 9.5,
        by: 'mira',
        note: 'Same as last month in Oban: the hand-over sheet does not mention it. Told the fitters.'
      },
      {
        after: 10,
        by: 'mira',
        reply:
          'Then it will work from now on: please switch it on, pull the main fuse for ten seconds, and tell me what happens.'
      }
    ]
  },
  {
    client: 'jurgen',
    deptid: 1,
    subject: 'Zugang zum Portal für unsere Mieterinnen und Mieter',
    priority: 'Low',
    message: 'Können unsere zwölf Parteien je einen eigenen Zugang bekommen?',
    openedHoursAgo: 10 * 24,
    tags: ['app', 'contract'],
    steps: [
      {
        after: 6,
        by: 'hannah',
        reply: 'Ja. Senden Sie uns eine Liste mit Namen und E-Mail-Adressen, dann laden wir alle ein.'
      },
      { after: 70, client: 'Die Liste kommt mit der Post, wir haben nicht von allen eine Adresse.' },
      { after: 71, by: 'hannah', reply: 'Das geht auch. Wir melden uns, sobald sie da ist.' }
    ]
  },
  {
    client: 'thomas',
    deptid: 5,
    subject: 'Förderung: brauche ich ein zweites Angebot?',
    priority: 'Low',
    message: 'Die Bank fragt nach einem Vergleichsangebot. Reicht ihr auch eine Aufschlüsselung?',
    openedHoursAgo: 7 * 24,
    steps: [
      { after: 8, by: 'jonas', assign: 'jonas' },
      {
        after: 9,
        by: 'jonas',
        reply: 'Den meisten Banken reicht sie. Die Aufschlüsselung liegt seit heute bei Ihren Dokumenten.'
      }
    ]
  },
  {
    client: 'priya',
    deptid: 1,
    subject: 'New router, inverter offline',
    priority: 'Medium',
    message: 'We have a new router and the inverter does not find it. The password is right.',
    openedHoursAgo: 5 * 24,
    tags: ['app'],
    steps: [
      {
        after: 0.4,
        by: 'mira',
        reply: 'The inverter knows 2.4 GHz alone. Does the router send that under the same name?'
      },
      { after: 1, client: 'It did not. Now it does, and all is well.' },
      { after: 1.2, by: 'mira', reply: 'Good to hear. Write to us whenever something is up.', status: 'Closed' }
    ]
  },
  {
    client: 'aleksandra',
    deptid: 1,
    subject: 'Which cable for 25 metres?',
    priority: 'Low',
    message: 'The wallbox will hang 25 metres from the cupboard. Are 5 × 6 mm² enough for 22 kW?',
    openedHoursAgo: 3 * 24,
    tags: ['wallbox'],
    steps: [
      { after: 2, by: 'hannah', assign: 'hannah' },
      {
        after: 2.5,
        by: 'hannah',
        reply:
          'For 22 kW and 25 metres we lay 5 × 10 mm². The electrician decides in the end, as the way of laying counts too.'
      }
    ]
  }
]
