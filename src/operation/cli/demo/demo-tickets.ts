import type { DemoTicket } from './demo-steps.ts'

/** The tickets of the last two days, most of which wait for staff. */
export const openTickets: DemoTicket[] = [
  {
    client: 'zoe',
    deptid: 5,
    subject: 'Two more panels on the garage roof?',
    priority: 'Low',
    message:
      'The garage roof is 3.2 by 5.8 metres and faces south-west.\nWould two of the 430 W panels fit, and can the inverter take them?',
    openedHoursAgo: 50,
    steps: []
  },
  {
    client: 'alan',
    deptid: 5,
    subject: 'A quote for two difference engines',
    priority: 'Low',
    message: 'What would the attached order cost, and when could it be here?',
    files: ['order'],
    openedHoursAgo: 46,
    steps: [
      { after: 2, by: 'grace', assign: 'grace' },
      { after: 3, by: 'grace', reply: 'You will have our offer by Friday.', status: 'In Progress' },
      { after: 3.1, by: 'grace', note: 'Waiting for the price of the gears. @jonas.petersen knows the supplier.' }
    ]
  },
  {
    client: 'alan',
    deptid: 6,
    subject: 'Somebody reads my e-mails',
    priority: 'High',
    message: 'I receive answers to messages that I have not sent yet.',
    openedHoursAgo: 30,
    steps: []
  },
  {
    client: 'jurgen',
    deptid: 4,
    subject: 'Umzug: Anlage auf neuen Eigentümer übertragen',
    priority: 'Medium',
    message:
      'Guten Tag,\n\nzum 1. Dezember geht das Haus Lindenallee 14 an einen neuen Eigentümer. Was brauchen Sie von uns, damit Vertrag und Zugang übergehen?\n\nMit freundlichen Grüßen\nJürgen Großmann',
    openedHoursAgo: 27,
    tags: ['contract'],
    steps: [
      { after: 1, by: 'hannah', assign: 'hannah' },
      {
        after: 1.5,
        by: 'hannah',
        reply:
          'Guten Tag Herr Großmann,\n\nwir brauchen den Namen und die E-Mail-Adresse des neuen Eigentümers und den Zählerstand am Tag der Übergabe. Den Rest erledigen wir.'
      },
      {
        after: 24.5,
        client:
          'Der neue Eigentümer ist Herr Dr. Seidel, seidel@lindenallee.example. Den Zählerstand reiche ich am 1. nach.'
      }
    ]
  },
  {
    client: 'aleksandra',
    deptid: 4,
    subject: 'Delivery date moved a third time',
    priority: 'High',
    message:
      'Our customer has taken two days off for the delivery, for the third time. Is the 26th certain now? If not, please take the order back.',
    openedHoursAgo: 20,
    tags: ['delivery'],
    steps: []
  },
  {
    client: 'tobias',
    deptid: 1,
    subject: 'Wallbox lädt nur mit 3,7 kW statt 11 kW',
    priority: 'High',
    message:
      'Seit dem Update lädt die Wallbox nur noch einphasig. Das Auto kann dreiphasig, ein Leihwagen lädt hier ebenfalls nur mit 3,7 kW.',
    files: ['meter'],
    fields: { product: 3, serial_number: '7702-24-1180' },
    openedHoursAgo: 18,
    tags: ['wallbox'],
    steps: [
      { after: 0.6, by: 'hannah', assign: 'hannah' },
      {
        after: 0.7,
        by: 'hannah',
        reply: 'Danke für das Foto. Bitte sehen Sie im Menü unter Netz > Phasen nach: steht dort „automatisch“?'
      },
      { after: 12, client: 'Dort steht „1“. Umstellen lässt es sich nicht, der Punkt ist grau.' },
      { after: 12.5, by: 'hannah', status: 'In Progress' },
      {
        after: 12.6,
        by: 'hannah',
        note: 'Grau heißt: durch den Installateur gesperrt. @mira.özdemir, kannst du den Code freigeben?'
      }
    ]
  },
  {
    client: 'priya',
    deptid: 1,
    subject: 'App no longer shows yesterday’s yield',
    priority: 'Medium',
    message:
      'Today’s curve is there, but every day before is empty since Monday. I signed out and in again, it changes nothing.',
    fields: { product: 4 },
    openedHoursAgo: 9,
    tags: ['app'],
    steps: [
      {
        after: 0.5,
        by: 'mira',
        reply: 'Thank you for telling us. Which version of the app do you have? It stands at the very end of Settings.'
      },
      { after: 0.5, by: 'mira', assign: 'mira' },
      { after: 8, client: '5.12.0 on Android. My sister has 5.11 and sees everything.' }
    ]
  },
  {
    client: 'ada',
    deptid: 1,
    subject: 'The printer is on fire',
    priority: 'Critical',
    message: 'It started this morning. A photo and the log are attached.',
    files: ['printer', 'printerLog'],
    openedHoursAgo: 6,
    steps: [
      { after: 0.1, by: 'grace', assign: 'grace' },
      { after: 0.2, by: 'grace', reply: 'Please pull the plug, then tell us what is written on its back.' },
      { after: 0.4, client: 'It says lp0. The fire is out, thank you.' }
    ]
  },
  {
    client: 'emmy',
    deptid: 1,
    subject: 'Is the second factor conserved?',
    priority: 'Medium',
    message: 'I have a new phone. Do my codes move with me?',
    openedHoursAgo: 5,
    steps: [
      {
        after: 0.4,
        by: 'grace',
        reply: 'They do not: switch the second factor off with your password, and set it up anew.'
      }
    ]
  },
  {
    client: 'siobhan',
    deptid: 4,
    subject: 'Charged twice for November',
    priority: 'Critical',
    message:
      'My bank shows two debits of €189.00 on the 2nd. Please send one of them back, my account is overdrawn because of it.',
    openedHoursAgo: 2.5,
    tags: ['refund'],
    steps: [
      { after: 0.2, by: 'jonas', assign: 'jonas' },
      {
        after: 0.3,
        by: 'jonas',
        note: 'Both debits are ours: the first was sent again after a timeout of the bank. Refund asked for, number RF-2208.'
      },
      {
        after: 0.4,
        by: 'jonas',
        reply:
          'Dear Siobhán, you are right, and it was our fault. The second €189.00 are on their way back; your bank needs two days.'
      },
      { after: 2.4, client: 'Thank you. Will you also pay the €12 the bank takes for the overdraft?' }
    ]
  },
  {
    client: 'katharina',
    deptid: 1,
    subject: 'Inverter shows error E-042 after firmware 8.1',
    priority: 'High',
    message:
      'Good afternoon, since the update to firmware 8.1 last night our inverter (SN 4417-22-0093) stops every 40 minutes with E-042.',
    files: ['display', 'inverterLog'],
    fields: { product: 1, serial_number: '4417-22-0093', error_code: 'E-042' },
    openedHoursAgo: 19,
    tags: ['firmware-8.1', 'E-042'],
    steps: [
      {
        after: 0.6,
        by: 'mira',
        reply:
          'Dear Katharina, thank you for the photo and the log, both help a lot. This code means a lost earth reference. Please switch the DC side off for two minutes and tell me whether the green light stays on.',
        status: 'In Progress'
      },
      { after: 0.6, by: 'mira', assign: 'mira' },
      { after: 0.9, by: 'jonas', watch: true },
      {
        after: 1,
        by: 'jonas',
        note: '@mira.özdemir third E-042 since the rollout. The firmware team suspects the residual-current check; 8.1.2 is due on Tuesday.'
      },
      {
        after: 18.9,
        client:
          'I tried the restart you suggested, twice, and the display came back with the same code after about half an hour. There is a faint clicking just before it stops.\n\nShould we leave it off over the weekend? It is getting cold.'
      }
    ]
  },
  {
    client: 'rhys',
    deptid: 1,
    subject: 'One panel of the garage delivers nothing',
    priority: 'Low',
    message: 'Panel 7 has shown 0 W since Saturday, the others are fine. It is not in the shade.',
    openedHoursAgo: 26,
    steps: [
      { after: 1, by: 'hannah', assign: 'hannah' },
      {
        after: 3,
        by: 'hannah',
        reply: 'Its micro-inverter is broken. The manufacturer sends a new one; we come as soon as it is here.',
        status: 'In Progress'
      },
      {
        after: 3.1,
        by: 'hannah',
        snooze: { hours: 96, kind: 'third_party', reason: 'The manufacturer sends the micro-inverter, RMA 77120' }
      }
    ]
  },
  {
    client: 'marta',
    deptid: 1,
    subject: 'Second inverter in the press house: when may it run?',
    priority: 'Medium',
    message: 'The fitters were here on Monday and left it switched off. May we switch it on?',
    openedHoursAgo: 15,
    tags: ['firmware-8.1'],
    steps: [
      { after: 1, by: 'mira', assign: 'mira' },
      {
        after: 1.2,
        by: 'mira',
        reply:
          'Please wait: it has the same firmware as the one in the cellar, whose fault we have to understand first.',
        status: 'In Progress'
      },
      {
        after: 1.3,
        by: 'mira',
        blockedBy: { client: 'katharina', subject: 'Inverter shows error E-042 after firmware 8.1' }
      }
    ]
  },
  {
    client: 'lukas',
    deptid: 1,
    subject: 'Wallbox for the tractor: which card opens it?',
    priority: 'Medium',
    message: 'Two cards came with the wallbox, and neither of them opens it.',
    openedHoursAgo: 7,
    tags: ['wallbox'],
    steps: [
      { after: 0.4, by: 'mira', assign: 'mira' },
      {
        after: 0.5,
        by: 'mira',
        reply: 'Hold one at the reader for ten seconds until it blinks green, then the other.'
      },
      { after: 4.9, client: 'Both work now, thank you!' },
      {
        after: 5,
        client: 'Another matter: our tax adviser asks for invoice 2026-3502 with the VAT number of the company on it.'
      },
      { after: 6, by: 'mira', split: { subject: 'Invoice 2026-3502 without a VAT number', deptid: 4 } },
      { after: 6.1, by: 'mira', reply: 'Good to hear. We look after the invoice in a ticket of its own.' }
    ]
  }
]
