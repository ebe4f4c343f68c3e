import type { Permission } from '../permissions.ts'
import type { TicketPriority, TicketStatus } from '../tables/tickets.ts'

/** Published: demo people are for looking at, never for production. */
export const demoPassword = 'Demo123!'

export interface DemoPerson {
  first_name: string
  last_name: string
  email: string
  phone_number?: string
  company_name?: string
  city?: string
}

export interface DemoFile {
  name: string
  type: string
  content: Buffer
}

interface DemoMessage {
  from: 'client' | 'supporter'
  text: string
  files?: DemoFile[]
}

interface DemoTicket {
  client: DemoPerson
  /** The public deptid. */
  deptid: number
  subject: string
  priority: TicketPriority
  /** The first one is the client's. */
  messages: [DemoMessage, ...DemoMessage[]]
  /** What the supporter sets it to in the end. */
  status?: TicketStatus
}

const helpful: Permission[] = ['clients.view', 'tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'staff.view']

export const supporter = {
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@demo.example',
  phone_number: '+12025550143',
  permissions: helpful
}

const ada: DemoPerson = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@demo.example',
  phone_number: '+442079460101',
  company_name: 'Analytical Engines Ltd',
  city: 'London'
}
const alan: DemoPerson = {
  first_name: 'Alan',
  last_name: 'Turing',
  email: 'alan@demo.example',
  phone_number: '+441632960961',
  company_name: 'Bombe & Sons',
  city: 'Manchester'
}
const emmy: DemoPerson = { first_name: 'Emmy', last_name: 'Noether', email: 'emmy@demo.example', city: 'Göttingen' }

const photo: DemoFile = {
  name: 'printer.png',
  type: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAHUlEQVR42mP4b8Pwv4eBeJI01UCSYdSGURuGjA0AufBjEClRaKgAAAAASUVORK5CYII=',
    'base64'
  )
}
const log: DemoFile = {
  name: 'printer.log',
  type: 'text/plain',
  content: Buffer.from('08:28:31 lp0 warming up\n08:28:59 lp0 on fire\n')
}
const order: DemoFile = {
  name: 'order-1842.txt',
  type: 'text/plain',
  content: Buffer.from('Order 1842\n 2 x difference engine\n 1 x box of punched cards\n')
}

export const demoTickets: DemoTicket[] = [
  {
    client: ada,
    deptid: 1,
    subject: 'The printer is on fire',
    priority: 'Critical',
    messages: [
      { from: 'client', text: 'It started this morning. A photo and the log are attached.', files: [photo, log] },
      { from: 'supporter', text: 'Please pull the plug, then tell us what is written on its back.' },
      { from: 'client', text: 'It says lp0. The fire is out, thank you.' }
    ]
  },
  {
    client: ada,
    deptid: 4,
    subject: 'Invoice 1843 came twice',
    priority: 'Medium',
    messages: [
      { from: 'client', text: 'The invoice of this month arrived on Monday and again on Tuesday.' },
      { from: 'supporter', text: 'The second one has been cancelled. Please pay the first.' }
    ],
    status: 'Closed'
  },
  {
    client: alan,
    deptid: 5,
    subject: 'A quote for two difference engines',
    priority: 'Low',
    messages: [
      { from: 'client', text: 'What would the attached order cost, and when could it be here?', files: [order] },
      { from: 'supporter', text: 'You will have our offer by Friday.' }
    ],
    status: 'In Progress'
  },
  {
    client: alan,
    deptid: 6,
    subject: 'Somebody reads my e-mails',
    priority: 'High',
    messages: [{ from: 'client', text: 'I receive answers to messages that I have not sent yet.' }]
  },
  {
    client: emmy,
    deptid: 1,
    subject: 'Is the second factor conserved?',
    priority: 'Medium',
    messages: [
      { from: 'client', text: 'I have a new phone. Do my codes move with me?' },
      { from: 'supporter', text: 'They do not: switch the second factor off with your password, and set it up anew.' }
    ]
  }
]
