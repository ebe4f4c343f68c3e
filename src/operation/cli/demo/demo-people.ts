import type { Permission } from '../../../core/permissions.ts'

/** It is published, so demo people must never be created in production. */
export const demoPassword = 'Demo123!'

export interface DemoPerson {
  first_name: string
  last_name: string
  email: string
  phone_number?: string
  company_name?: string
  city?: string
}

const answering: Permission[] = [
  'clients.view',
  'tickets.view_all',
  'tickets.reply',
  'tickets.edit_status',
  'staff.view'
]

export const supporters = {
  grace: {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@demo.example',
    phone_number: '+12025550143',
    permissions: answering
  },
  mira: { first_name: 'Mira', last_name: 'Özdemir', email: 'mira@demo.example', permissions: answering },
  jonas: { first_name: 'Jonas', last_name: 'Petersen', email: 'jonas@demo.example', permissions: answering },
  hannah: { first_name: 'Hannah', last_name: 'Lindqvist', email: 'hannah@demo.example', permissions: answering }
}

export const clients = {
  ada: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@demo.example',
    phone_number: '+442079460101',
    company_name: 'Analytical Engines Ltd',
    city: 'London'
  },
  alan: {
    first_name: 'Alan',
    last_name: 'Turing',
    email: 'alan@demo.example',
    phone_number: '+441632960961',
    company_name: 'Bombe & Sons',
    city: 'Manchester'
  },
  emmy: { first_name: 'Emmy', last_name: 'Noether', email: 'emmy@demo.example', city: 'Göttingen' },
  katharina: {
    first_name: 'Katharina',
    last_name: 'von Brückner-Hohenfels',
    email: 'katharina@demo.example',
    company_name: 'Weingut Brückner & Söhne KG',
    city: 'Freyburg (Unstrut)'
  },
  lukas: {
    first_name: 'Lukas',
    last_name: 'Brückner',
    email: 'lukas@weingut-brueckner.example',
    company_name: 'Weingut Brückner & Söhne KG',
    city: 'Naumburg (Saale)'
  },
  marta: {
    first_name: 'Marta',
    last_name: 'Nowak',
    email: 'marta@weingut-brueckner.example',
    company_name: 'Weingut Brückner & Söhne KG',
    city: 'Bad Kösen'
  },
  siobhan: { first_name: 'Siobhán', last_name: 'O’Sullivan-Whitfield', email: 'siobhan@demo.example', city: 'Cork' },
  priya: { first_name: 'Priya', last_name: 'Ramanathan', email: 'priya@demo.example', city: 'Chennai' },
  tobias: { first_name: 'Tobias', last_name: 'Wiesenthal', email: 'tobias@demo.example', city: 'Graz' },
  aleksandra: {
    first_name: 'Aleksandra',
    last_name: 'Wiśniewska',
    email: 'aleksandra@demo.example',
    company_name: 'Dom i Ogród sp. z o.o.',
    city: 'Łódź'
  },
  thomas: { first_name: 'Thomas', last_name: 'Müller-Großkreutz', email: 'thomas@demo.example', city: 'Dortmund' },
  eilidh: { first_name: 'Eilidh', last_name: 'MacPherson', email: 'eilidh@demo.example', city: 'Inverness' },
  jurgen: {
    first_name: 'Jürgen',
    last_name: 'Großmann',
    email: 'juergen@demo.example',
    company_name: 'Hausverwaltung Lindenallee',
    city: 'Leipzig'
  },
  rhys: { first_name: 'Rhys', last_name: 'Llewellyn-Davies', email: 'rhys@demo.example', city: 'Swansea' },
  ngozi: {
    first_name: 'Ngozi',
    last_name: 'Adeyemi-Clarke',
    email: 'ngozi@demo.example',
    company_name: 'Clarke Installations',
    city: 'Leeds'
  },
  zoe: { first_name: 'Zoë', last_name: 'van der Meulen', email: 'zoe@demo.example', city: 'Utrecht' }
} satisfies Record<string, DemoPerson>

export type ClientName = keyof typeof clients
export type SupporterName = keyof typeof supporters
