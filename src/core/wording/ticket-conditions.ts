/** What an e-mail to a client about a ticket may say, by when it says so. */
export const ticketConditions = {
  received: 'The reader has opened the ticket just now',
  opened: 'Staff have opened the ticket for the reader',
  answered: 'Staff have answered',
  closed: 'The ticket has been closed',
  reply: 'Staff have written in a ticket that the reader knows',
  answerable: 'An answer to the e-mail comes to the ticket',
  unproven: 'Nobody has proved that the address is theirs, nor written from it'
}
