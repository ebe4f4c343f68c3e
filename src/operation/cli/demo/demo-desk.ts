import type { MacroDefinition } from '../../../tickets/macros/change-macros.ts'
import type { QueueQuery } from '../../../tickets/queue/queue-query.ts'

// The tags, shared macros and shared views of the demo desk.

export const demoTags: Record<string, string> = {
  app: '#3a6fb0',
  battery: '#7a5cc0',
  contract: '#5f6b7a',
  delivery: '#a0662d',
  'E-042': '#287a96',
  'firmware-8.1': '#c0542d',
  refund: '#b0453f',
  wallbox: '#2f8a57'
}

export const demoCannedReplies = [
  {
    title: 'Ask for the serial number',
    text: 'Dear {{client.first_name}},\n\ncould you send us the serial number? It stands on the plate at the right side of the inverter and begins with SN.\n\n{{staff.first_name}}'
  },
  {
    title: 'Refund is on its way',
    text: 'Dear {{client.first_name}},\n\nthe refund for {{ticket.number}} left today. Your bank needs two to three working days.\n\n{{staff.first_name}}, {{department.name}}'
  },
  {
    title: 'Rückfrage zur Seriennummer',
    text: 'Guten Tag {{client.first_name}} {{client.last_name}},\n\nbitte senden Sie uns die Seriennummer. Sie steht rechts am Wechselrichter und beginnt mit SN.\n\n{{staff.first_name}} {{staff.last_name}}'
  },
  {
    title: 'Closing after a week of silence',
    text: 'Dear {{client.first_name}},\n\nwe have not heard from you about “{{ticket.subject}}” for a week and close it now. Write here whenever it comes back, and it is open again.\n\n{{staff.first_name}}'
  }
]

export const demoMacros: MacroDefinition[] = [
  {
    name: 'Earth reference lost',
    actions: [{ set_priority: 'High' }, { set_status: 'Answered' }, { add_tags: ['E-042'] }],
    reply_text:
      'Dear {{client.first_name}},\n\nE-042 means that the inverter lost its earth reference for a moment. Please switch its DC side off for two minutes, and tell us whether the code comes back.\n\n{{staff.first_name}}'
  },
  {
    name: 'Refund: put off for three days',
    actions: [
      { add_tags: ['refund'] },
      { note: 'The refund for {{ticket.number}} is ordered.' },
      { snooze: { minutes: 4320 } }
    ],
    reply_text: ''
  }
]

export const demoViews: { name: string; query: QueueQuery }[] = [
  { name: 'Firmware 8.1', query: { tag: 'firmware-8.1' } },
  {
    name: 'Urgent and open',
    query: { status: ['Open', 'In Progress', 'Customer-Reply'], priority: ['High', 'Critical'] }
  },
  {
    name: 'Urgent, or about money',
    query: {
      conditions: {
        all: [
          { any: [{ field: 'status', op: 'in', value: ['Open', 'In Progress', 'Customer-Reply'] }] },
          {
            any: [
              { field: 'priority', op: 'is', value: 'Critical' },
              { field: 'tags', op: 'has_any', value: ['refund', 'contract'] }
            ]
          }
        ]
      }
    }
  }
]
