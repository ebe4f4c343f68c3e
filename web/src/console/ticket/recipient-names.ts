import { listText } from '../../lib/times.ts'
import { type ChosenRecipients, namesReached } from './chosen-recipients.ts'
import type { Detail } from './thread-types.ts'

/** Who gets a reply: "Katharina and Anton". */
export function recipientNames(detail: Detail, chosen?: ChosenRecipients): string {
  return listText(namesReached(detail, chosen))
}
